// Models of buses around a verilated wrapper, with random stalls and checks of the protocol.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <vector>

inline uint64_t randomState = 1;
inline uint64_t random64() {
  uint64_t x = randomState += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
/// How often a channel stalls, of 16.
inline unsigned stalls = 0;
inline bool goes() { return random64() % 16 >= stalls; }

inline void fail(const std::string &what) {
  printf("%s\n", what.c_str());
  exit(1);
}

/// Once valid, a channel that the circuit drives stays valid with the same payload until it is
/// ready.
class Held {
public:
  explicit Held(std::string channel) : name(std::move(channel)) {}
  void see(bool valid, bool ready, std::vector<uint64_t> payload) {
    if (waits && (!valid || payload != last))
      fail(name + ": dropped or changed before it was ready");
    waits = valid && !ready;
    last = std::move(payload);
  }
  void reset() { waits = false; }

private:
  std::string name;
  bool waits = false;
  std::vector<uint64_t> last;
};

/// Elements for the circuit: valid stays until they are taken.
struct Source {
  std::deque<uint64_t> elements;
  bool valid = false;
  void drive() { valid = valid || (!elements.empty() && goes()); }
  void see(bool ready) {
    if (valid && ready) {
      elements.pop_front();
      valid = false;
    }
  }
};

/// An AXI4 slave: byte memory, bursts in order, answers late.
class Slave {
public:
  explicit Slave(unsigned busBytes, unsigned mostBeats) : bus(busBytes), most(mostBeats) {}

  struct Signals {
    bool arvalid, awvalid, wvalid, wlast, rready, bready;
    uint64_t araddr, awaddr, wdata, wstrb;
    unsigned arlen, awlen, arsize, awsize, arburst, awburst;
  };

  std::map<uint64_t, uint8_t> bytes;
  unsigned errors = 0; // responses to answer with an error
  bool arready = false, awready = false, wready = false, rvalid = false, rlast = false,
       bvalid = false;
  uint64_t rdata = 0;
  unsigned rresp = 0, bresp = 0;
  unsigned bursts = 0;

  void drive() {
    arready = goes();
    awready = goes();
    wready = goes();
    if (!rvalid && !reads.empty() && goes()) {
      Burst &burst = reads.front();
      rvalid = true;
      rdata = random64();
      for (unsigned i = 0; i < burst.size; ++i) {
        unsigned lane = (burst.address + i) % bus;
        rdata = (rdata & ~(uint64_t(255) << 8 * lane)) | uint64_t(bytes.at(burst.address + i))
                                                             << 8 * lane;
      }
      rlast = burst.beats == 1;
      rresp = errors > 0 ? 2 : 0;
    }
    if (!bvalid && answers > 0 && goes()) {
      bvalid = true;
      bresp = 0;
    }
  }

  void see(const Signals &s) {
    ar.see(s.arvalid, arready, {s.araddr, s.arlen, s.arsize, s.arburst});
    aw.see(s.awvalid, awready, {s.awaddr, s.awlen, s.awsize, s.awburst});
    w.see(s.wvalid, wready, {s.wdata, s.wstrb, s.wlast});
    if (s.arvalid && arready)
      reads.push_back(burst(s.araddr, s.arlen, s.arsize, s.arburst));
    if (s.awvalid && awready)
      writes.push_back(burst(s.awaddr, s.awlen, s.awsize, s.awburst));
    if (s.wvalid && wready)
      beats.push_back({s.wdata, s.wstrb, s.wlast});
    if (rvalid && s.rready) {
      Burst &read = reads.front();
      rvalid = false;
      errors -= errors > 0;
      read.address += read.size;
      if (--read.beats == 0)
        reads.pop_front();
    }
    if (bvalid && s.bready) {
      bvalid = false;
      --answers;
    }
    while (!writes.empty() && !beats.empty())
      write();
  }

  void reset() {
    for (Held *held : {&ar, &aw, &w})
      held->reset();
    reads.clear();
    writes.clear();
    beats.clear();
    rvalid = bvalid = false;
    answers = 0;
  }

private:
  struct Burst {
    uint64_t address;
    unsigned beats, size;
  };
  struct Beat {
    uint64_t data, strobes;
    bool last;
  };

  Burst burst(uint64_t address, unsigned length, unsigned size, unsigned kind) {
    ++bursts;
    unsigned beatBytes = 1u << size, count = length + 1;
    if (kind != 1 || beatBytes > bus || count > most || address % beatBytes != 0)
      fail("burst of a wrong kind, size or length");
    if (address / 4096 != (address + count * beatBytes - 1) / 4096)
      fail("burst across 4 KiB");
    return {address, count, beatBytes};
  }

  void write() {
    Burst &burst = writes.front();
    Beat beat = beats.front();
    beats.pop_front();
    if (beat.last != (burst.beats == 1))
      fail("wlast at the wrong beat");
    for (unsigned lane = 0; lane < bus; ++lane) {
      bool inside = lane >= burst.address % bus && lane < burst.address % bus + burst.size;
      if (bool(beat.strobes >> lane & 1) != inside)
        fail("wrong strobes");
      if (inside)
        bytes[burst.address - burst.address % bus + lane] = uint8_t(beat.data >> 8 * lane);
    }
    burst.address += burst.size;
    if (--burst.beats == 0) {
      writes.pop_front();
      ++answers;
    }
  }

  unsigned bus, most, answers = 0;
  std::deque<Burst> reads, writes;
  std::deque<Beat> beats;
  Held ar{"ar"}, aw{"aw"}, w{"w"};
};
