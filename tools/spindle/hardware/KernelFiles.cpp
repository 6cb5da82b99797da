#include "tools/spindle/hardware/KernelFiles.h"

#include "core/support/files/File.h"
#include "dialects/rtl/SystemVerilog.h"
#include "hw/rtl/UnitSources.h"

#include "fmt/format.h"

#include <filesystem>
#include <set>

namespace spindle {

using namespace hls;

static ElementType elementOf(mlir::Type type) {
  if (type.isIndex())
    return {ElementType::Kind::Index, 64};
  return {llvm::isa<mlir::FloatType>(type) ? ElementType::Kind::Float : ElementType::Kind::Integer,
          type.getIntOrFloatBitWidth()};
}

static std::vector<DimensionPartition> partitionOf(MemoryOp memory) {
  std::vector<DimensionPartition> partition(memory.getMemRef().getRank());
  if (!memory.getPartition())
    return partition;
  for (auto [dimension, entry] : llvm::enumerate(*memory.getPartition())) {
    auto fields = llvm::cast<mlir::DictionaryAttr>(entry);
    llvm::StringRef kind = fields.getAs<mlir::StringAttr>("kind").getValue();
    auto factor = fields.getAs<mlir::IntegerAttr>("factor");
    partition[dimension].kind = kind == "block"      ? DimensionPartition::Kind::Block
                                : kind == "cyclic"   ? DimensionPartition::Kind::Cyclic
                                : kind == "complete" ? DimensionPartition::Kind::Complete
                                                     : DimensionPartition::Kind::None;
    partition[dimension].factor = kind == "complete" ? memory.getMemRef().getShape()[dimension]
                                  : factor           ? factor.getInt()
                                                     : 1;
  }
  return partition;
}

static KernelArgument memoryArgument(KernelOp kernel, MemoryOp memory) {
  KernelArgument argument;
  argument.index = *memory.getArgument();
  argument.kind = KernelArgument::Kind::Memory;
  argument.type = elementOf(memory.getElement());
  argument.shape = memory.getMemRef().getShape().vec();
  argument.partition = partitionOf(memory);
  argument.ports = memory.getPorts();
  argument.readLatency = memory.getReadLatency();
  argument.isRead = argument.isWritten = false;
  kernel.walk([&](mlir::Operation *op) {
    if (llvm::isa<LoadOp, StoreOp>(op) && memoryOf(op) == memory)
      (llvm::isa<LoadOp>(op) ? argument.isRead : argument.isWritten) = true;
  });
  return argument;
}

/// Arguments or results that are indices in the program.
static llvm::ArrayRef<int64_t> indicesIn(KernelOp kernel, llvm::StringRef attribute) {
  auto list = kernel->getAttrOfType<mlir::DenseI64ArrayAttr>(attribute);
  return list ? list.asArrayRef() : llvm::ArrayRef<int64_t>();
}

KernelInterface interfaceOf(KernelOp kernel, const std::string &top, const Bindings &bind) {
  KernelInterface interface;
  interface.top = interface.function = top;
  interface.original = "original.mlir";
  for (const auto &[index, values] : bind)
    interface.bind[index] = values;
  interface.target = kernel.getTarget().str();
  interface.clockPeriodNs = kernel.getClockPeriodNs().convertToDouble();
  for (auto [argument, index] :
       llvm::zip(kernel.getBody().getArguments(), kernel.getArgumentIndex())) {
    KernelArgument scalar;
    scalar.index = index;
    scalar.type = elementOf(argument.getType());
    interface.arguments.push_back(scalar);
  }
  for (MemoryOp memory : kernel.getOps<MemoryOp>())
    if (memory.getArgument())
      interface.arguments.push_back(memoryArgument(kernel, memory));
  llvm::sort(interface.arguments,
             [](const KernelArgument &a, const KernelArgument &b) { return a.index < b.index; });
  if (std::optional<mlir::ArrayAttr> memories = kernel.getResultMemories())
    for (mlir::Attribute name : *memories)
      interface.results.push_back(elementOf(
          kernel.lookupSymbol<MemoryOp>(llvm::cast<mlir::StringAttr>(name)).getElement()));
  constexpr ElementType indexType{ElementType::Kind::Index, 64};
  for (KernelArgument &argument : interface.arguments)
    if (llvm::is_contained(indicesIn(kernel, "hls.index_arguments"), int64_t(argument.index)))
      argument.type = indexType;
  for (int64_t result : indicesIn(kernel, "hls.index_results"))
    interface.results[size_t(result)] = indexType;
  for (UnitOp unit : kernel.getOps<UnitOp>())
    ++interface.units[unit.getSymName().rsplit('_').first.str()];
  return interface;
}

llvm::Error writeKernelFiles(const std::string &folder, KernelOp kernel, mlir::ModuleOp design,
                             KernelInterface interface, const std::string &program) {
  std::error_code status;
  std::filesystem::create_directories(folder + "/units", status);
  std::set<std::string> modules;
  for (UnitOp unit : kernel.getOps<UnitOp>())
    modules.insert(unit.getModule().str());
  SPINDLE_ASSIGN(std::vector<UnitSource> units, unitSources({modules.begin(), modules.end()}));
  std::string verilog, scheduled;
  llvm::raw_string_ostream verilogStream(verilog), scheduledStream(scheduled);
  SPINDLE_RETURN_IF_ERROR(rtl::emitSystemVerilog(design, verilogStream));
  kernel.print(scheduledStream);

  std::string circuit = interface.top + ".sv";
  interface.sources = {circuit};
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/" + circuit, verilog));
  for (const UnitSource &unit : units) {
    interface.sources.push_back("units/" + unit.file);
    SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/units/" + unit.file, unit.text));
  }
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/original.mlir", program));
  SPINDLE_RETURN_IF_ERROR(writeFile(folder + "/scheduled.mlir", scheduled + "\n"));
  return writeKernelInterface(folder + "/kernel.json", interface);
}

} // namespace spindle
