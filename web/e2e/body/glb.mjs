// A minimal writer of binary glTF, used to build the models and animations of the tests.

const TYPES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }
const COMPONENTS = new Map([[Float32Array, 5126], [Uint16Array, 5123], [Uint32Array, 5125], [Uint8Array, 5121]])
const VERTICES = 34962
const INDICES = 34963

export class Glb {
  constructor(json = {}) {
    this.json = { asset: { version: '2.0', generator: 'a test' }, accessors: [], bufferViews: [], ...json }
    this.chunks = []
    this.length = 0
  }

  accessor(array, type, target) {
    const size = TYPES[type]
    const view = { buffer: 0, byteOffset: this.length, byteLength: array.byteLength, ...(target ? { target } : {}) }
    this.json.bufferViews.push(view)
    this.chunks.push(padded(Buffer.from(array.buffer, array.byteOffset, array.byteLength), 0))
    this.length += this.chunks.at(-1).length
    const extent = (pick) => Array.from({ length: size }, (_, i) => array.reduce((best, value, at) => (at % size === i ? pick(best, value) : best), array[i]))
    const bounds = array instanceof Float32Array && size < 4 ? { min: extent(Math.min), max: extent(Math.max) } : {}
    const accessor = { bufferView: this.json.bufferViews.length - 1, componentType: COMPONENTS.get(array.constructor), count: array.length / size, type, ...bounds }
    return this.json.accessors.push(accessor) - 1
  }

  vertices(array, type) {
    return this.accessor(array, type, VERTICES)
  }

  indices(array) {
    return this.accessor(array, 'SCALAR', INDICES)
  }

  bytes() {
    const json = padded(Buffer.from(JSON.stringify({ ...this.json, buffers: [{ byteLength: this.length }] })), 0x20)
    const body = Buffer.concat(this.chunks)
    const head = Buffer.alloc(20)
    head.write('glTF')
    head.writeUInt32LE(2, 4)
    head.writeUInt32LE(28 + json.length + body.length, 8)
    head.writeUInt32LE(json.length, 12)
    head.write('JSON', 16)
    const chunk = Buffer.alloc(8)
    chunk.writeUInt32LE(body.length, 0)
    chunk.write('BIN\0', 4)
    return Buffer.concat([head, json, chunk, body])
  }
}

function padded(bytes, filler) {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)])
}
