// What JAX writes for dropout with a key of Threefry (jax_threefry_partitionable = True).
"builtin.module"() <{sym_name = "jit_dropout"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = "empty_mesh"}> {stablehlo.mesh = {axes = []}} : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x5xf32>, tensor<2xui32>) -> tensor<4x5xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg101: tensor<4x5xf32>, %arg102: tensor<2xui32>):
    %297 = "sdy.sharding_constraint"(%arg102) <{sharding = #sdy.sharding<@empty_mesh, [{}]>}> : (tensor<2xui32>) -> tensor<2xui32>
    %298 = "stablehlo.constant"() <{value = dense<3> : tensor<ui32>}> : () -> tensor<ui32>
    %299 = "func.call"(%297, %298) <{callee = @_threefry_fold_in}> : (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>
    %300 = "func.call"(%299) <{callee = @_threefry_split}> : (tensor<2xui32>) -> tensor<2x2xui32>
    %301 = "stablehlo.slice"(%300) <{limit_indices = array<i64: 1, 2>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %302 = "stablehlo.reshape"(%301) : (tensor<1x2xui32>) -> tensor<2xui32>
    %303 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %304 = "func.call"(%302, %303) <{callee = @_bernoulli}> : (tensor<2xui32>, tensor<f32>) -> tensor<4x5xi1>
    %305 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %306 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %307 = "stablehlo.divide"(%arg101, %306) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %308 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %309 = "func.call"(%304, %307, %308) <{callee = @_where}> : (tensor<4x5xi1>, tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>
    "func.return"(%309) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>, res_attrs = [{}], sym_name = "_threefry_fold_in", sym_visibility = "private"}> ({
  ^bb0(%arg99: tensor<2xui32>, %arg100: tensor<ui32>):
    %282 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %283 = "stablehlo.shift_right_logical"(%arg100, %282) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %284 = "stablehlo.broadcast_in_dim"(%283) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %285 = "stablehlo.constant"() <{value = dense<4294967295> : tensor<ui32>}> : () -> tensor<ui32>
    %286 = "stablehlo.and"(%arg100, %285) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %287 = "stablehlo.broadcast_in_dim"(%286) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %288 = "stablehlo.concatenate"(%284, %287) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %289 = "stablehlo.slice"(%arg99) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %290 = "stablehlo.reshape"(%289) : (tensor<1xui32>) -> tensor<ui32>
    %291 = "stablehlo.slice"(%arg99) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %292 = "stablehlo.reshape"(%291) : (tensor<1xui32>) -> tensor<ui32>
    %293 = "stablehlo.slice"(%288) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %294 = "stablehlo.slice"(%288) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %295:2 = "func.call"(%290, %292, %293, %294) <{callee = @threefry2x32}> : (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>)
    %296 = "stablehlo.concatenate"(%295#0, %295#1) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    "func.return"(%296) : (tensor<2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>), sym_name = "threefry2x32", sym_visibility = "private"}> ({
  ^bb0(%arg77: tensor<ui32>, %arg78: tensor<ui32>, %arg79: tensor<1xui32>, %arg80: tensor<1xui32>):
    %265 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %266 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %267 = "stablehlo.xor"(%arg77, %arg78) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %268 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %269 = "stablehlo.xor"(%267, %268) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %270 = "stablehlo.broadcast_in_dim"(%arg77) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %271 = "stablehlo.add"(%arg79, %270) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %272 = "stablehlo.broadcast_in_dim"(%arg78) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %273 = "stablehlo.add"(%arg80, %272) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %274 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %275 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %276:9 = "stablehlo.while"(%275, %274, %271, %273, %arg78, %269, %arg77, %265, %266) ({
    ^bb0(%arg90: tensor<i32>, %arg91: tensor<i32>, %arg92: tensor<1xui32>, %arg93: tensor<1xui32>, %arg94: tensor<ui32>, %arg95: tensor<ui32>, %arg96: tensor<ui32>, %arg97: tensor<4xui32>, %arg98: tensor<4xui32>):
      %280 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %281 = "stablehlo.compare"(%arg90, %280) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%281) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg81: tensor<i32>, %arg82: tensor<i32>, %arg83: tensor<1xui32>, %arg84: tensor<1xui32>, %arg85: tensor<ui32>, %arg86: tensor<ui32>, %arg87: tensor<ui32>, %arg88: tensor<4xui32>, %arg89: tensor<4xui32>):
      %277:8 = "func.call"(%arg82, %arg83, %arg84, %arg85, %arg86, %arg87, %arg88, %arg89) <{callee = @closed_call}> : (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %278 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %279 = "stablehlo.add"(%arg81, %278) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%279, %277#0, %277#1, %277#2, %277#3, %277#4, %277#5, %277#6, %277#7) : (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%276#2, %276#3) : (tensor<1xui32>, tensor<1xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg69: tensor<i32>, %arg70: tensor<1xui32>, %arg71: tensor<1xui32>, %arg72: tensor<ui32>, %arg73: tensor<ui32>, %arg74: tensor<ui32>, %arg75: tensor<4xui32>, %arg76: tensor<4xui32>):
    %210 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %211 = "stablehlo.add"(%arg69, %210) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %212 = "stablehlo.slice"(%arg75) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %213 = "stablehlo.reshape"(%212) : (tensor<1xui32>) -> tensor<ui32>
    %214 = "stablehlo.add"(%arg70, %arg71) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %215 = "stablehlo.broadcast_in_dim"(%213) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %216 = "stablehlo.shift_left"(%arg71, %215) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %217 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %218 = "stablehlo.subtract"(%217, %213) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %219 = "stablehlo.broadcast_in_dim"(%218) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %220 = "stablehlo.shift_right_logical"(%arg71, %219) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %221 = "stablehlo.or"(%216, %220) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %222 = "stablehlo.xor"(%214, %221) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %223 = "stablehlo.slice"(%arg75) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %224 = "stablehlo.reshape"(%223) : (tensor<1xui32>) -> tensor<ui32>
    %225 = "stablehlo.add"(%214, %222) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %226 = "stablehlo.broadcast_in_dim"(%224) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %227 = "stablehlo.shift_left"(%222, %226) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %228 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %229 = "stablehlo.subtract"(%228, %224) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %230 = "stablehlo.broadcast_in_dim"(%229) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %231 = "stablehlo.shift_right_logical"(%222, %230) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %232 = "stablehlo.or"(%227, %231) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %233 = "stablehlo.xor"(%225, %232) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %234 = "stablehlo.slice"(%arg75) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %235 = "stablehlo.reshape"(%234) : (tensor<1xui32>) -> tensor<ui32>
    %236 = "stablehlo.add"(%225, %233) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %237 = "stablehlo.broadcast_in_dim"(%235) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %238 = "stablehlo.shift_left"(%233, %237) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %239 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %240 = "stablehlo.subtract"(%239, %235) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %241 = "stablehlo.broadcast_in_dim"(%240) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %242 = "stablehlo.shift_right_logical"(%233, %241) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %243 = "stablehlo.or"(%238, %242) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %244 = "stablehlo.xor"(%236, %243) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %245 = "stablehlo.slice"(%arg75) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %246 = "stablehlo.reshape"(%245) : (tensor<1xui32>) -> tensor<ui32>
    %247 = "stablehlo.add"(%236, %244) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %248 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %249 = "stablehlo.shift_left"(%244, %248) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %250 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %251 = "stablehlo.subtract"(%250, %246) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %252 = "stablehlo.broadcast_in_dim"(%251) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %253 = "stablehlo.shift_right_logical"(%244, %252) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %254 = "stablehlo.or"(%249, %253) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %255 = "stablehlo.xor"(%247, %254) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %256 = "stablehlo.broadcast_in_dim"(%arg72) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %257 = "stablehlo.add"(%247, %256) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %258 = "stablehlo.broadcast_in_dim"(%arg73) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %259 = "stablehlo.add"(%255, %258) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    %260 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %261 = "stablehlo.add"(%arg69, %260) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %262 = "stablehlo.convert"(%261) : (tensor<i32>) -> tensor<ui32>
    %263 = "stablehlo.broadcast_in_dim"(%262) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %264 = "stablehlo.add"(%259, %263) : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
    "func.return"(%211, %257, %264, %arg73, %arg74, %arg72, %arg76, %arg75) : (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2xui32>) -> tensor<2x2xui32>, res_attrs = [{}], sym_name = "_threefry_split", sym_visibility = "private"}> ({
  ^bb0(%arg68: tensor<2xui32>):
    %193 = "stablehlo.slice"(%arg68) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %194 = "stablehlo.reshape"(%193) : (tensor<1xui32>) -> tensor<ui32>
    %195 = "stablehlo.slice"(%arg68) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %196 = "stablehlo.reshape"(%195) : (tensor<1xui32>) -> tensor<ui32>
    %197 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xui64>
    %198 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %200 = "stablehlo.multiply"(%199, %197) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %201 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<2xui64>
    %203 = "stablehlo.shift_right_logical"(%200, %202) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
    %204 = "stablehlo.convert"(%200) : (tensor<2xui64>) -> tensor<2xui32>
    %205 = "stablehlo.convert"(%203) : (tensor<2xui64>) -> tensor<2xui32>
    %206:2 = "func.call"(%194, %196, %205, %204) <{callee = @threefry2x32_0}> : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
    %207 = "stablehlo.broadcast_in_dim"(%206#0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %208 = "stablehlo.broadcast_in_dim"(%206#1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %209 = "stablehlo.concatenate"(%207, %208) <{dimension = 1 : i64}> : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
    "func.return"(%209) : (tensor<2x2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>), sym_name = "threefry2x32_0", sym_visibility = "private"}> ({
  ^bb0(%arg46: tensor<ui32>, %arg47: tensor<ui32>, %arg48: tensor<2xui32>, %arg49: tensor<2xui32>):
    %176 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %177 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %178 = "stablehlo.xor"(%arg46, %arg47) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %179 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %180 = "stablehlo.xor"(%178, %179) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %181 = "stablehlo.broadcast_in_dim"(%arg46) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %182 = "stablehlo.add"(%arg48, %181) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %183 = "stablehlo.broadcast_in_dim"(%arg47) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %184 = "stablehlo.add"(%arg49, %183) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %185 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %186 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %187:9 = "stablehlo.while"(%186, %185, %182, %184, %arg47, %180, %arg46, %176, %177) ({
    ^bb0(%arg59: tensor<i32>, %arg60: tensor<i32>, %arg61: tensor<2xui32>, %arg62: tensor<2xui32>, %arg63: tensor<ui32>, %arg64: tensor<ui32>, %arg65: tensor<ui32>, %arg66: tensor<4xui32>, %arg67: tensor<4xui32>):
      %191 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %192 = "stablehlo.compare"(%arg59, %191) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%192) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg50: tensor<i32>, %arg51: tensor<i32>, %arg52: tensor<2xui32>, %arg53: tensor<2xui32>, %arg54: tensor<ui32>, %arg55: tensor<ui32>, %arg56: tensor<ui32>, %arg57: tensor<4xui32>, %arg58: tensor<4xui32>):
      %188:8 = "func.call"(%arg51, %arg52, %arg53, %arg54, %arg55, %arg56, %arg57, %arg58) <{callee = @closed_call_1}> : (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %189 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %190 = "stablehlo.add"(%arg50, %189) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%190, %188#0, %188#1, %188#2, %188#3, %188#4, %188#5, %188#6, %188#7) : (tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%187#2, %187#3) : (tensor<2xui32>, tensor<2xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call_1", sym_visibility = "private"}> ({
  ^bb0(%arg38: tensor<i32>, %arg39: tensor<2xui32>, %arg40: tensor<2xui32>, %arg41: tensor<ui32>, %arg42: tensor<ui32>, %arg43: tensor<ui32>, %arg44: tensor<4xui32>, %arg45: tensor<4xui32>):
    %121 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %122 = "stablehlo.add"(%arg38, %121) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %123 = "stablehlo.slice"(%arg44) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %124 = "stablehlo.reshape"(%123) : (tensor<1xui32>) -> tensor<ui32>
    %125 = "stablehlo.add"(%arg39, %arg40) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %126 = "stablehlo.broadcast_in_dim"(%124) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %127 = "stablehlo.shift_left"(%arg40, %126) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %128 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %129 = "stablehlo.subtract"(%128, %124) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %131 = "stablehlo.shift_right_logical"(%arg40, %130) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %132 = "stablehlo.or"(%127, %131) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %133 = "stablehlo.xor"(%125, %132) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %134 = "stablehlo.slice"(%arg44) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %135 = "stablehlo.reshape"(%134) : (tensor<1xui32>) -> tensor<ui32>
    %136 = "stablehlo.add"(%125, %133) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %137 = "stablehlo.broadcast_in_dim"(%135) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %138 = "stablehlo.shift_left"(%133, %137) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %139 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %140 = "stablehlo.subtract"(%139, %135) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %142 = "stablehlo.shift_right_logical"(%133, %141) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %143 = "stablehlo.or"(%138, %142) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %144 = "stablehlo.xor"(%136, %143) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %145 = "stablehlo.slice"(%arg44) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %146 = "stablehlo.reshape"(%145) : (tensor<1xui32>) -> tensor<ui32>
    %147 = "stablehlo.add"(%136, %144) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %148 = "stablehlo.broadcast_in_dim"(%146) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %149 = "stablehlo.shift_left"(%144, %148) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %150 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %151 = "stablehlo.subtract"(%150, %146) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %152 = "stablehlo.broadcast_in_dim"(%151) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %153 = "stablehlo.shift_right_logical"(%144, %152) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %154 = "stablehlo.or"(%149, %153) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %155 = "stablehlo.xor"(%147, %154) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %156 = "stablehlo.slice"(%arg44) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %157 = "stablehlo.reshape"(%156) : (tensor<1xui32>) -> tensor<ui32>
    %158 = "stablehlo.add"(%147, %155) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %159 = "stablehlo.broadcast_in_dim"(%157) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %160 = "stablehlo.shift_left"(%155, %159) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %161 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %162 = "stablehlo.subtract"(%161, %157) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %164 = "stablehlo.shift_right_logical"(%155, %163) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %165 = "stablehlo.or"(%160, %164) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %166 = "stablehlo.xor"(%158, %165) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %167 = "stablehlo.broadcast_in_dim"(%arg41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %168 = "stablehlo.add"(%158, %167) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %169 = "stablehlo.broadcast_in_dim"(%arg42) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %170 = "stablehlo.add"(%166, %169) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    %171 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %172 = "stablehlo.add"(%arg38, %171) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %173 = "stablehlo.convert"(%172) : (tensor<i32>) -> tensor<ui32>
    %174 = "stablehlo.broadcast_in_dim"(%173) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2xui32>
    %175 = "stablehlo.add"(%170, %174) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
    "func.return"(%122, %168, %175, %arg42, %arg43, %arg41, %arg45, %arg44) : (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2xui32>, tensor<f32>) -> tensor<4x5xi1>, res_attrs = [{}], sym_name = "_bernoulli", sym_visibility = "private"}> ({
  ^bb0(%arg36: tensor<2xui32>, %arg37: tensor<f32>):
    %116 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %117 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %118 = "func.call"(%arg36, %116, %117) <{callee = @_uniform}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x5xf32>
    %119 = "stablehlo.broadcast_in_dim"(%arg37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %120 = "stablehlo.compare"(%118, %119) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    "func.return"(%120) : (tensor<4x5xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x5xf32>, res_attrs = [{}], sym_name = "_uniform", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<2xui32>, %arg34: tensor<f32>, %arg35: tensor<f32>):
    %75 = "stablehlo.convert"(%arg34) : (tensor<f32>) -> tensor<f32>
    %76 = "stablehlo.convert"(%arg35) : (tensor<f32>) -> tensor<f32>
    %77 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %78 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %79 = "stablehlo.slice"(%arg33) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %80 = "stablehlo.reshape"(%79) : (tensor<1xui32>) -> tensor<ui32>
    %81 = "stablehlo.slice"(%arg33) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %82 = "stablehlo.reshape"(%81) : (tensor<1xui32>) -> tensor<ui32>
    %83 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x5xui64>
    %84 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x5xui64>
    %85 = "stablehlo.constant"() <{value = dense<5> : tensor<ui64>}> : () -> tensor<ui64>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<4x5xui64>
    %87 = "stablehlo.multiply"(%86, %83) : (tensor<4x5xui64>, tensor<4x5xui64>) -> tensor<4x5xui64>
    %88 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<4x5xui64>
    %90 = "stablehlo.multiply"(%89, %84) : (tensor<4x5xui64>, tensor<4x5xui64>) -> tensor<4x5xui64>
    %91 = "stablehlo.add"(%87, %90) : (tensor<4x5xui64>, tensor<4x5xui64>) -> tensor<4x5xui64>
    %92 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<4x5xui64>
    %94 = "stablehlo.shift_right_logical"(%91, %93) : (tensor<4x5xui64>, tensor<4x5xui64>) -> tensor<4x5xui64>
    %95 = "stablehlo.convert"(%91) : (tensor<4x5xui64>) -> tensor<4x5xui32>
    %96 = "stablehlo.convert"(%94) : (tensor<4x5xui64>) -> tensor<4x5xui32>
    %97:2 = "func.call"(%80, %82, %96, %95) <{callee = @threefry2x32_2}> : (tensor<ui32>, tensor<ui32>, tensor<4x5xui32>, tensor<4x5xui32>) -> (tensor<4x5xui32>, tensor<4x5xui32>)
    %98 = "stablehlo.xor"(%97#0, %97#1) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %99 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %101 = "stablehlo.shift_right_logical"(%98, %100) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %102 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %104 = "stablehlo.or"(%101, %103) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %105 = "stablehlo.bitcast_convert"(%104) : (tensor<4x5xui32>) -> tensor<4x5xf32>
    %106 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %108 = "stablehlo.subtract"(%105, %107) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %109 = "stablehlo.subtract"(%78, %77) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x5xf32>
    %111 = "stablehlo.multiply"(%108, %110) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %112 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x5xf32>
    %113 = "stablehlo.add"(%111, %112) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %114 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x5xf32>
    %115 = "stablehlo.maximum"(%114, %113) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    "func.return"(%115) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<4x5xui32>, tensor<4x5xui32>) -> (tensor<4x5xui32>, tensor<4x5xui32>), sym_name = "threefry2x32_2", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<ui32>, %arg12: tensor<ui32>, %arg13: tensor<4x5xui32>, %arg14: tensor<4x5xui32>):
    %58 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %59 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %60 = "stablehlo.xor"(%arg11, %arg12) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %61 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %62 = "stablehlo.xor"(%60, %61) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %63 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %64 = "stablehlo.add"(%arg13, %63) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %65 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %66 = "stablehlo.add"(%arg14, %65) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %67 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %68 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %69:9 = "stablehlo.while"(%68, %67, %64, %66, %arg12, %62, %arg11, %58, %59) ({
    ^bb0(%arg24: tensor<i32>, %arg25: tensor<i32>, %arg26: tensor<4x5xui32>, %arg27: tensor<4x5xui32>, %arg28: tensor<ui32>, %arg29: tensor<ui32>, %arg30: tensor<ui32>, %arg31: tensor<4xui32>, %arg32: tensor<4xui32>):
      %73 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %74 = "stablehlo.compare"(%arg24, %73) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%74) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg15: tensor<i32>, %arg16: tensor<i32>, %arg17: tensor<4x5xui32>, %arg18: tensor<4x5xui32>, %arg19: tensor<ui32>, %arg20: tensor<ui32>, %arg21: tensor<ui32>, %arg22: tensor<4xui32>, %arg23: tensor<4xui32>):
      %70:8 = "func.call"(%arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23) <{callee = @closed_call_3}> : (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %71 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %72 = "stablehlo.add"(%arg15, %71) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%72, %70#0, %70#1, %70#2, %70#3, %70#4, %70#5, %70#6, %70#7) : (tensor<i32>, tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%69#2, %69#3) : (tensor<4x5xui32>, tensor<4x5xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call_3", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<4x5xui32>, %arg5: tensor<4x5xui32>, %arg6: tensor<ui32>, %arg7: tensor<ui32>, %arg8: tensor<ui32>, %arg9: tensor<4xui32>, %arg10: tensor<4xui32>):
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.add"(%arg3, %3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %6 = "stablehlo.reshape"(%5) : (tensor<1xui32>) -> tensor<ui32>
    %7 = "stablehlo.add"(%arg4, %arg5) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %8 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %9 = "stablehlo.shift_left"(%arg5, %8) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %10 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %11 = "stablehlo.subtract"(%10, %6) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %13 = "stablehlo.shift_right_logical"(%arg5, %12) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %14 = "stablehlo.or"(%9, %13) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %15 = "stablehlo.xor"(%7, %14) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %16 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %17 = "stablehlo.reshape"(%16) : (tensor<1xui32>) -> tensor<ui32>
    %18 = "stablehlo.add"(%7, %15) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %19 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %20 = "stablehlo.shift_left"(%15, %19) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %21 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %22 = "stablehlo.subtract"(%21, %17) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %24 = "stablehlo.shift_right_logical"(%15, %23) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %25 = "stablehlo.or"(%20, %24) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %26 = "stablehlo.xor"(%18, %25) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %27 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %28 = "stablehlo.reshape"(%27) : (tensor<1xui32>) -> tensor<ui32>
    %29 = "stablehlo.add"(%18, %26) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %30 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %31 = "stablehlo.shift_left"(%26, %30) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %32 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %33 = "stablehlo.subtract"(%32, %28) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %35 = "stablehlo.shift_right_logical"(%26, %34) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %36 = "stablehlo.or"(%31, %35) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %37 = "stablehlo.xor"(%29, %36) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %38 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %39 = "stablehlo.reshape"(%38) : (tensor<1xui32>) -> tensor<ui32>
    %40 = "stablehlo.add"(%29, %37) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %41 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %42 = "stablehlo.shift_left"(%37, %41) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %43 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %44 = "stablehlo.subtract"(%43, %39) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %46 = "stablehlo.shift_right_logical"(%37, %45) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %47 = "stablehlo.or"(%42, %46) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %48 = "stablehlo.xor"(%40, %47) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %49 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %50 = "stablehlo.add"(%40, %49) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %51 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %52 = "stablehlo.add"(%48, %51) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %53 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.add"(%arg3, %53) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %55 = "stablehlo.convert"(%54) : (tensor<i32>) -> tensor<ui32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %57 = "stablehlo.add"(%52, %56) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    "func.return"(%4, %50, %57, %arg7, %arg8, %arg6, %arg10, %arg9) : (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x5xi1>, tensor<4x5xf32>, tensor<i32>) -> tensor<4x5xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x5xi1>, %arg1: tensor<4x5xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<4x5xi1>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    "func.return"(%2) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

