// SPDX-License-Identifier: MIT
#pragma once

/// The classes of ONNX's own header, which takes seconds to compile.

namespace onnx {

class AttributeProto;
class GraphProto;
class NodeProto;
class TensorProto;

}  // namespace onnx
