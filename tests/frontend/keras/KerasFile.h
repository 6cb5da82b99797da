// Writes small Keras models, layer by layer.
#pragma once

#include "core/support/formats/Json.h"
#include "tests/frontend/Imported.h"
#include "tests/support/TemporaryFolder.h"

#include "hdf5.h"

#include <string>
#include <vector>

namespace spindle {

class KerasFile {
public:
  /// The shape is that of a sample.
  explicit KerasFile(const std::vector<int64_t> &input) {
    Json shape = Json::array({nullptr});
    for (int64_t extent : input)
      shape.push_back(extent);
    layer("InputLayer", "input", {{"batch_input_shape", shape}});
  }

  /// Appends a layer; `sources` makes the network a Functional one.
  KerasFile &layer(const std::string &kind, const std::string &name, Json config = Json::object(),
                   const std::vector<std::string> &sources = {}) {
    config["name"] = name;
    Json entry = {{"class_name", kind}, {"config", std::move(config)}};
    entry["inbound_nodes"] = Json::array();
    layers.push_back(std::move(entry));
    return sources.empty() ? *this : call(sources);
  }
  /// One call of the last layer; a source is NAME or NAME:CALL.
  KerasFile &call(const std::vector<std::string> &sources) {
    Json references = Json::array();
    for (const std::string &source : sources) {
      size_t colon = source.find(':');
      int number = colon == std::string::npos ? 0 : std::stoi(source.substr(colon + 1));
      references.push_back({source.substr(0, colon), number, 0, Json::object()});
    }
    layers.back()["inbound_nodes"].push_back(references);
    functional = true;
    return *this;
  }
  /// What stands in a file for the network, here as a layer of another one.
  Json asLayer(const std::string &name) const {
    Json entry = Json::parse(config());
    entry["config"]["name"] = name;
    entry["inbound_nodes"] = Json::array();
    return entry;
  }
  /// Appends a network with its weights, in groups as Keras 2 or 3 makes them.
  KerasFile &inside(const KerasFile &other, const std::string &name, bool three) {
    layers.push_back(other.asLayer(name));
    for (Weight weight : other.weights) {
      // model_weights/OUTERMOST, then the name of the weight
      std::string path = weight.path.empty() ? weight.layer : weight.path;
      weight.path = three ? name + "/" + path : path;
      weight.group = name + "/" + weight.path;
      weights.push_back(weight);
    }
    return *this;
  }
  /// A weight of the last layer.
  KerasFile &weight(const std::string &role, const std::vector<hsize_t> &shape,
                    const std::vector<float> &values) {
    weights.push_back(
        {layers.back()["config"]["name"].get<std::string>(), role, shape, values, "", ""});
    return *this;
  }

  std::string write(const std::string &path) const {
    hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "model_weights", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (const Weight &each : weights) {
      hid_t links = H5Pcreate(H5P_LINK_CREATE);
      H5Pset_create_intermediate_group(links, 1);
      hid_t space = H5Screate_simple(int(each.shape.size()), each.shape.data(), nullptr);
      std::string name = (each.group.empty() ? each.layer + "/" + each.layer : each.group) + "/" +
                         each.role + ":0";
      hid_t set =
          H5Dcreate2(group, name.c_str(), H5T_IEEE_F32LE, space, links, H5P_DEFAULT, H5P_DEFAULT);
      H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, each.values.data());
      H5Dclose(set);
      H5Sclose(space);
      H5Pclose(links);
    }
    H5Gclose(group);
    std::string text = config();
    if (!text.empty()) {
      hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
      H5Tset_size(type, text.size());
      hid_t attribute = H5Acreate2(file, "model_config", type, space, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(attribute, type, text.data());
      H5Aclose(attribute);
      H5Sclose(space);
      H5Tclose(type);
    }
    H5Fclose(file);
    return path;
  }

  std::string config() const {
    if (rawConfig != "-")
      return rawConfig;
    Json entries = layers;
    if (!functional)
      for (Json &entry : entries)
        entry.erase("inbound_nodes");
    Json net = {{"layers", entries}};
    if (functional) {
      net["input_layers"] = {{"input", 0, 0}};
      net["output_layers"] = {{layers.back()["config"]["name"], 0, 0}};
    }
    return Json{{"class_name", functional ? "Functional" : network}, {"config", net}}.dump();
  }

  std::string network = "Sequential";
  std::string rawConfig = "-"; // instead of the layers
  Json layers = Json::array();

private:
  struct Weight {
    std::string layer, role;
    std::vector<hsize_t> shape;
    std::vector<float> values;
    std::string group, path; // empty: as of a layer of the model itself
  };
  bool functional = false;
  std::vector<Weight> weights;
};

/// The network of a file, which errors call x.h5.
inline Imported import(const KerasFile &file) {
  TemporaryFolder folder;
  ModelOptions options;
  options.path = file.write(folder / "x.h5");
  Imported result = import(options);
  for (size_t at; (at = result.error.find(options.path)) != std::string::npos;)
    result.error.replace(at, options.path.size(), "x.h5");
  return result;
}

} // namespace spindle
