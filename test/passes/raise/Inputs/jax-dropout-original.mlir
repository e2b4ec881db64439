// What JAX writes for dropout with a key of Threefry (jax_threefry_partitionable = False).
"builtin.module"() <{sym_name = "jit_dropout"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = "empty_mesh"}> {stablehlo.mesh = {axes = []}} : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x5xf32>, tensor<2xui32>) -> tensor<4x5xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg101: tensor<4x5xf32>, %arg102: tensor<2xui32>):
    %280 = "sdy.sharding_constraint"(%arg102) <{sharding = #sdy.sharding<@empty_mesh, [{}]>}> : (tensor<2xui32>) -> tensor<2xui32>
    %281 = "stablehlo.constant"() <{value = dense<3> : tensor<ui32>}> : () -> tensor<ui32>
    %282 = "func.call"(%280, %281) <{callee = @_threefry_fold_in}> : (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>
    %283 = "func.call"(%282) <{callee = @_threefry_split}> : (tensor<2xui32>) -> tensor<2x2xui32>
    %284 = "stablehlo.slice"(%283) <{limit_indices = array<i64: 1, 2>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %285 = "stablehlo.reshape"(%284) : (tensor<1x2xui32>) -> tensor<2xui32>
    %286 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %287 = "func.call"(%285, %286) <{callee = @_bernoulli}> : (tensor<2xui32>, tensor<f32>) -> tensor<4x5xi1>
    %288 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %289 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %290 = "stablehlo.divide"(%arg101, %289) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %291 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %292 = "func.call"(%287, %290, %291) <{callee = @_where}> : (tensor<4x5xi1>, tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>
    "func.return"(%292) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>, res_attrs = [{}], sym_name = "_threefry_fold_in", sym_visibility = "private"}> ({
  ^bb0(%arg99: tensor<2xui32>, %arg100: tensor<ui32>):
    %265 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %266 = "stablehlo.shift_right_logical"(%arg100, %265) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %267 = "stablehlo.broadcast_in_dim"(%266) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %268 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<ui32>}> : () -> tensor<ui32>
    %269 = "stablehlo.and"(%arg100, %268) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %270 = "stablehlo.broadcast_in_dim"(%269) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %271 = "stablehlo.concatenate"(%267, %270) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %272 = "stablehlo.slice"(%arg99) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %273 = "stablehlo.reshape"(%272) : (tensor<1xui32>) -> tensor<ui32>
    %274 = "stablehlo.slice"(%arg99) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %275 = "stablehlo.reshape"(%274) : (tensor<1xui32>) -> tensor<ui32>
    %276 = "stablehlo.slice"(%271) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %277 = "stablehlo.slice"(%271) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %278:2 = "func.call"(%273, %275, %276, %277) <{callee = @threefry2x32}> : (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>)
    %279 = "stablehlo.concatenate"(%278#0, %278#1) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    "func.return"(%279) : (tensor<2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>), sym_name = "threefry2x32", sym_visibility = "private"}> ({
  ^bb0(%arg77: tensor<ui32>, %arg78: tensor<ui32>, %arg79: tensor<1xui32>, %arg80: tensor<1xui32>):
    %248 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %249 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %250 = "stablehlo.xor"(%arg77, %arg78) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %251 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %252 = "stablehlo.xor"(%250, %251) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %253 = "stablehlo.broadcast_in_dim"(%arg77) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %254 = "stablehlo.add"(%arg79, %253) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %255 = "stablehlo.broadcast_in_dim"(%arg78) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %256 = "stablehlo.add"(%arg80, %255) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %257 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %258 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %259:9 = "stablehlo.while"(%258, %257, %254, %256, %arg78, %252, %arg77, %248, %249) ({
    ^bb0(%arg90: tensor<i32>, %arg91: tensor<i32>, %arg92: tensor<1xui32>, %arg93: tensor<1xui32>, %arg94: tensor<ui32>, %arg95: tensor<ui32>, %arg96: tensor<ui32>, %arg97: tensor<4xui32>, %arg98: tensor<4xui32>):
      %263 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %264 = "stablehlo.compare"(%arg90, %263) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%264) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg81: tensor<i32>, %arg82: tensor<i32>, %arg83: tensor<1xui32>, %arg84: tensor<1xui32>, %arg85: tensor<ui32>, %arg86: tensor<ui32>, %arg87: tensor<ui32>, %arg88: tensor<4xui32>, %arg89: tensor<4xui32>):
      %260:8 = "func.call"(%arg82, %arg83, %arg84, %arg85, %arg86, %arg87, %arg88, %arg89) <{callee = @closed_call}> : (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %261 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %262 = "stablehlo.add"(%arg81, %261) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%262, %260#0, %260#1, %260#2, %260#3, %260#4, %260#5, %260#6, %260#7) : (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%259#2, %259#3) : (tensor<1xui32>, tensor<1xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg69: tensor<i32>, %arg70: tensor<1xui32>, %arg71: tensor<1xui32>, %arg72: tensor<ui32>, %arg73: tensor<ui32>, %arg74: tensor<ui32>, %arg75: tensor<4xui32>, %arg76: tensor<4xui32>):
    %193 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %194 = "stablehlo.add"(%arg69, %193) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %195 = "stablehlo.slice"(%arg75) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %196 = "stablehlo.reshape"(%195) : (tensor<1xui32>) -> tensor<ui32>
    %197 = "stablehlo.add"(%arg70, %arg71) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %198 = "stablehlo.broadcast_in_dim"(%196) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %199 = "stablehlo.shift_left"(%arg71, %198) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %200 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %201 = "stablehlo.subtract"(%200, %196) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %203 = "stablehlo.shift_right_logical"(%arg71, %202) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %204 = "stablehlo.or"(%199, %203) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %205 = "stablehlo.xor"(%197, %204) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %206 = "stablehlo.slice"(%arg75) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %207 = "stablehlo.reshape"(%206) : (tensor<1xui32>) -> tensor<ui32>
    %208 = "stablehlo.add"(%197, %205) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %209 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %210 = "stablehlo.shift_left"(%205, %209) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %211 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %212 = "stablehlo.subtract"(%211, %207) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %213 = "stablehlo.broadcast_in_dim"(%212) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %214 = "stablehlo.shift_right_logical"(%205, %213) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %215 = "stablehlo.or"(%210, %214) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %216 = "stablehlo.xor"(%208, %215) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %217 = "stablehlo.slice"(%arg75) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %218 = "stablehlo.reshape"(%217) : (tensor<1xui32>) -> tensor<ui32>
    %219 = "stablehlo.add"(%208, %216) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %220 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %221 = "stablehlo.shift_left"(%216, %220) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %222 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %223 = "stablehlo.subtract"(%222, %218) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %225 = "stablehlo.shift_right_logical"(%216, %224) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %226 = "stablehlo.or"(%221, %225) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %227 = "stablehlo.xor"(%219, %226) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %228 = "stablehlo.slice"(%arg75) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %229 = "stablehlo.reshape"(%228) : (tensor<1xui32>) -> tensor<ui32>
    %230 = "stablehlo.add"(%219, %227) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %231 = "stablehlo.broadcast_in_dim"(%229) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %232 = "stablehlo.shift_left"(%227, %231) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %233 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %234 = "stablehlo.subtract"(%233, %229) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %235 = "stablehlo.broadcast_in_dim"(%234) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %236 = "stablehlo.shift_right_logical"(%227, %235) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %237 = "stablehlo.or"(%232, %236) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %238 = "stablehlo.xor"(%230, %237) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %239 = "stablehlo.broadcast_in_dim"(%arg72) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %240 = "stablehlo.add"(%230, %239) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %241 = "stablehlo.broadcast_in_dim"(%arg73) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %242 = "stablehlo.add"(%238, %241) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %243 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %244 = "stablehlo.add"(%arg69, %243) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %245 = "stablehlo.convert"(%244) : (tensor<i32>) -> tensor<ui32>
    %246 = "stablehlo.broadcast_in_dim"(%245) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %247 = "stablehlo.add"(%242, %246) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    "func.return"(%194, %240, %247, %arg73, %arg74, %arg72, %arg76, %arg75) : (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2xui32>) -> tensor<2x2xui32>, res_attrs = [{}], sym_name = "_threefry_split", sym_visibility = "private"}> ({
  ^bb0(%arg68: tensor<2xui32>):
    %183 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xui32>
    %184 = "stablehlo.slice"(%arg68) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %185 = "stablehlo.reshape"(%184) : (tensor<1xui32>) -> tensor<ui32>
    %186 = "stablehlo.slice"(%arg68) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %187 = "stablehlo.reshape"(%186) : (tensor<1xui32>) -> tensor<ui32>
    %188 = "stablehlo.slice"(%183) <{limit_indices = array<i64: 2>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<2xui32>
    %189 = "stablehlo.slice"(%183) <{limit_indices = array<i64: 4>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<2xui32>
    %190:2 = "func.call"(%185, %187, %188, %189) <{callee = @threefry2x32_0}> : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
    %191 = "stablehlo.concatenate"(%190#0, %190#1) <{dimension = 0 : i64}> : (tensor<2xui32>, tensor<2xui32>) -> tensor<4xui32>
    %192 = "stablehlo.reshape"(%191) : (tensor<4xui32>) -> tensor<2x2xui32>
    "func.return"(%192) : (tensor<2x2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>), sym_name = "threefry2x32_0", sym_visibility = "private"}> ({
  ^bb0(%arg46: tensor<ui32>, %arg47: tensor<ui32>, %arg48: tensor<2xui32>, %arg49: tensor<2xui32>):
    %166 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %167 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %168 = "stablehlo.xor"(%arg46, %arg47) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %169 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %170 = "stablehlo.xor"(%168, %169) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %171 = "stablehlo.broadcast_in_dim"(%arg46) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %172 = "stablehlo.add"(%arg48, %171) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %173 = "stablehlo.broadcast_in_dim"(%arg47) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %174 = "stablehlo.add"(%arg49, %173) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %175 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %176 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %177:9 = "stablehlo.while"(%176, %175, %172, %174, %arg47, %170, %arg46, %166, %167) ({
    ^bb0(%arg59: tensor<i32>, %arg60: tensor<i32>, %arg61: tensor<2xui32>, %arg62: tensor<2xui32>, %arg63: tensor<ui32>, %arg64: tensor<ui32>, %arg65: tensor<ui32>, %arg66: tensor<4xui32>, %arg67: tensor<4xui32>):
      %181 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %182 = "stablehlo.compare"(%arg59, %181) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%182) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg50: tensor<i32>, %arg51: tensor<i32>, %arg52: tensor<2xui32>, %arg53: tensor<2xui32>, %arg54: tensor<ui32>, %arg55: tensor<ui32>, %arg56: tensor<ui32>, %arg57: tensor<4xui32>, %arg58: tensor<4xui32>):
      %178:8 = "func.call"(%arg51, %arg52, %arg53, %arg54, %arg55, %arg56, %arg57, %arg58) <{callee = @closed_call_1}> : (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %179 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %180 = "stablehlo.add"(%arg50, %179) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%180, %178#0, %178#1, %178#2, %178#3, %178#4, %178#5, %178#6, %178#7) : (tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%177#2, %177#3) : (tensor<2xui32>, tensor<2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call_1", sym_visibility = "private"}> ({
  ^bb0(%arg38: tensor<i32>, %arg39: tensor<2xui32>, %arg40: tensor<2xui32>, %arg41: tensor<ui32>, %arg42: tensor<ui32>, %arg43: tensor<ui32>, %arg44: tensor<4xui32>, %arg45: tensor<4xui32>):
    %111 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %112 = "stablehlo.add"(%arg38, %111) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %113 = "stablehlo.slice"(%arg44) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %114 = "stablehlo.reshape"(%113) : (tensor<1xui32>) -> tensor<ui32>
    %115 = "stablehlo.add"(%arg39, %arg40) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %116 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %117 = "stablehlo.shift_left"(%arg40, %116) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %118 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %119 = "stablehlo.subtract"(%118, %114) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %120 = "stablehlo.broadcast_in_dim"(%119) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %121 = "stablehlo.shift_right_logical"(%arg40, %120) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %122 = "stablehlo.or"(%117, %121) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %123 = "stablehlo.xor"(%115, %122) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %124 = "stablehlo.slice"(%arg44) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %125 = "stablehlo.reshape"(%124) : (tensor<1xui32>) -> tensor<ui32>
    %126 = "stablehlo.add"(%115, %123) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %127 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %128 = "stablehlo.shift_left"(%123, %127) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %129 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %130 = "stablehlo.subtract"(%129, %125) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %131 = "stablehlo.broadcast_in_dim"(%130) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %132 = "stablehlo.shift_right_logical"(%123, %131) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %133 = "stablehlo.or"(%128, %132) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %134 = "stablehlo.xor"(%126, %133) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %135 = "stablehlo.slice"(%arg44) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %136 = "stablehlo.reshape"(%135) : (tensor<1xui32>) -> tensor<ui32>
    %137 = "stablehlo.add"(%126, %134) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %138 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %139 = "stablehlo.shift_left"(%134, %138) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %140 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %141 = "stablehlo.subtract"(%140, %136) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %142 = "stablehlo.broadcast_in_dim"(%141) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %143 = "stablehlo.shift_right_logical"(%134, %142) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %144 = "stablehlo.or"(%139, %143) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %145 = "stablehlo.xor"(%137, %144) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %146 = "stablehlo.slice"(%arg44) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %147 = "stablehlo.reshape"(%146) : (tensor<1xui32>) -> tensor<ui32>
    %148 = "stablehlo.add"(%137, %145) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %149 = "stablehlo.broadcast_in_dim"(%147) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %150 = "stablehlo.shift_left"(%145, %149) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %151 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %152 = "stablehlo.subtract"(%151, %147) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %154 = "stablehlo.shift_right_logical"(%145, %153) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %155 = "stablehlo.or"(%150, %154) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %156 = "stablehlo.xor"(%148, %155) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %157 = "stablehlo.broadcast_in_dim"(%arg41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %158 = "stablehlo.add"(%148, %157) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %159 = "stablehlo.broadcast_in_dim"(%arg42) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %160 = "stablehlo.add"(%156, %159) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %161 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %162 = "stablehlo.add"(%arg38, %161) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %163 = "stablehlo.convert"(%162) : (tensor<i32>) -> tensor<ui32>
    %164 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %165 = "stablehlo.add"(%160, %164) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    "func.return"(%112, %158, %165, %arg42, %arg43, %arg41, %arg45, %arg44) : (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xui32>, tensor<f32>) -> tensor<4x5xi1>, res_attrs = [{}], sym_name = "_bernoulli", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<2xui32>, %arg37: tensor<f32>):
    %106 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %108 = "func.call"(%arg36, %106, %107) <{callee = @_uniform}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x5xf32>
    %109 = "stablehlo.broadcast_in_dim"(%arg37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %110 = "stablehlo.compare"(%108, %109) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    "func.return"(%110) : (tensor<4x5xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x5xf32>, res_attrs = [{}], sym_name = "_uniform", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<2xui32>, %arg34: tensor<f32>, %arg35: tensor<f32>):
    %75 = "stablehlo.convert"(%arg34) : (tensor<f32>) -> tensor<f32>
    %76 = "stablehlo.convert"(%arg35) : (tensor<f32>) -> tensor<f32>
    %77 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %78 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %79 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<20xui32>
    %80 = "stablehlo.slice"(%arg33) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %81 = "stablehlo.reshape"(%80) : (tensor<1xui32>) -> tensor<ui32>
    %82 = "stablehlo.slice"(%arg33) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %83 = "stablehlo.reshape"(%82) : (tensor<1xui32>) -> tensor<ui32>
    %84 = "stablehlo.slice"(%79) <{limit_indices = array<i64: 10>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<20xui32>) -> tensor<10xui32>
    %85 = "stablehlo.slice"(%79) <{limit_indices = array<i64: 20>, start_indices = array<i64: 10>, strides = array<i64: 1>}> : (tensor<20xui32>) -> tensor<10xui32>
    %86:2 = "func.call"(%81, %83, %84, %85) <{callee = @threefry2x32_2}> : (tensor<ui32>, tensor<ui32>, tensor<10xui32>, tensor<10xui32>) -> (tensor<10xui32>, tensor<10xui32>)
    %87 = "stablehlo.concatenate"(%86#0, %86#1) <{dimension = 0 : i64}> : (tensor<10xui32>, tensor<10xui32>) -> tensor<20xui32>
    %88 = "stablehlo.reshape"(%87) : (tensor<20xui32>) -> tensor<4x5xui32>
    %89 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %91 = "stablehlo.shift_right_logical"(%88, %90) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %92 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %94 = "stablehlo.or"(%91, %93) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %95 = "stablehlo.bitcast_convert"(%94) : (tensor<4x5xui32>) -> tensor<4x5xf32>
    %96 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %98 = "stablehlo.subtract"(%95, %97) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %99 = "stablehlo.subtract"(%78, %77) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x5xf32>
    %101 = "stablehlo.multiply"(%98, %100) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %102 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x5xf32>
    %103 = "stablehlo.add"(%101, %102) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %104 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x5xf32>
    %105 = "stablehlo.maximum"(%104, %103) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    "func.return"(%105) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<10xui32>, tensor<10xui32>) -> (tensor<10xui32>, tensor<10xui32>), sym_name = "threefry2x32_2", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<ui32>, %arg12: tensor<ui32>, %arg13: tensor<10xui32>, %arg14: tensor<10xui32>):
    %58 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %59 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %60 = "stablehlo.xor"(%arg11, %arg12) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %61 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %62 = "stablehlo.xor"(%60, %61) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %63 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %64 = "stablehlo.add"(%arg13, %63) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %65 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %66 = "stablehlo.add"(%arg14, %65) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %67 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %68 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %69:9 = "stablehlo.while"(%68, %67, %64, %66, %arg12, %62, %arg11, %58, %59) ({
    ^bb0(%arg24: tensor<i32>, %arg25: tensor<i32>, %arg26: tensor<10xui32>, %arg27: tensor<10xui32>, %arg28: tensor<ui32>, %arg29: tensor<ui32>, %arg30: tensor<ui32>, %arg31: tensor<4xui32>, %arg32: tensor<4xui32>):
      %73 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %74 = "stablehlo.compare"(%arg24, %73) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%74) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg15: tensor<i32>, %arg16: tensor<i32>, %arg17: tensor<10xui32>, %arg18: tensor<10xui32>, %arg19: tensor<ui32>, %arg20: tensor<ui32>, %arg21: tensor<ui32>, %arg22: tensor<4xui32>, %arg23: tensor<4xui32>):
      %70:8 = "func.call"(%arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23) <{callee = @closed_call_3}> : (tensor<i32>, tensor<10xui32>, tensor<10xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<10xui32>, tensor<10xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %71 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %72 = "stablehlo.add"(%arg15, %71) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%72, %70#0, %70#1, %70#2, %70#3, %70#4, %70#5, %70#6, %70#7) : (tensor<i32>, tensor<i32>, tensor<10xui32>, tensor<10xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<10xui32>, tensor<10xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<10xui32>, tensor<10xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%69#2, %69#3) : (tensor<10xui32>, tensor<10xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<10xui32>, tensor<10xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<10xui32>, tensor<10xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call_3", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<10xui32>, %arg5: tensor<10xui32>, %arg6: tensor<ui32>, %arg7: tensor<ui32>, %arg8: tensor<ui32>, %arg9: tensor<4xui32>, %arg10: tensor<4xui32>):
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.add"(%arg3, %3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %6 = "stablehlo.reshape"(%5) : (tensor<1xui32>) -> tensor<ui32>
    %7 = "stablehlo.add"(%arg4, %arg5) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %8 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %9 = "stablehlo.shift_left"(%arg5, %8) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %10 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %11 = "stablehlo.subtract"(%10, %6) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %13 = "stablehlo.shift_right_logical"(%arg5, %12) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %14 = "stablehlo.or"(%9, %13) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %15 = "stablehlo.xor"(%7, %14) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %16 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %17 = "stablehlo.reshape"(%16) : (tensor<1xui32>) -> tensor<ui32>
    %18 = "stablehlo.add"(%7, %15) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %19 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %20 = "stablehlo.shift_left"(%15, %19) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %21 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %22 = "stablehlo.subtract"(%21, %17) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %24 = "stablehlo.shift_right_logical"(%15, %23) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %25 = "stablehlo.or"(%20, %24) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %26 = "stablehlo.xor"(%18, %25) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %27 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %28 = "stablehlo.reshape"(%27) : (tensor<1xui32>) -> tensor<ui32>
    %29 = "stablehlo.add"(%18, %26) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %30 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %31 = "stablehlo.shift_left"(%26, %30) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %32 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %33 = "stablehlo.subtract"(%32, %28) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %35 = "stablehlo.shift_right_logical"(%26, %34) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %36 = "stablehlo.or"(%31, %35) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %37 = "stablehlo.xor"(%29, %36) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %38 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %39 = "stablehlo.reshape"(%38) : (tensor<1xui32>) -> tensor<ui32>
    %40 = "stablehlo.add"(%29, %37) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %41 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %42 = "stablehlo.shift_left"(%37, %41) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %43 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %44 = "stablehlo.subtract"(%43, %39) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %46 = "stablehlo.shift_right_logical"(%37, %45) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %47 = "stablehlo.or"(%42, %46) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %48 = "stablehlo.xor"(%40, %47) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %49 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %50 = "stablehlo.add"(%40, %49) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %51 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %52 = "stablehlo.add"(%48, %51) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    %53 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.add"(%arg3, %53) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %55 = "stablehlo.convert"(%54) : (tensor<i32>) -> tensor<ui32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<10xui32>
    %57 = "stablehlo.add"(%52, %56) : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xui32>
    "func.return"(%4, %50, %57, %arg7, %arg8, %arg6, %arg10, %arg9) : (tensor<i32>, tensor<10xui32>, tensor<10xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x5xi1>, tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x5xi1>, %arg1: tensor<4x5xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<4x5xi1>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    "func.return"(%2) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

