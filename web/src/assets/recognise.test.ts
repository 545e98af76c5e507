import { describe, expect, test } from 'vitest'
import { file, glb, PNG, VRM, VRM_0, VRMA } from '@/testkit/assets'
import { freeAssetName, nameConflict } from './names'
import { isAssetName, isPicture, recognise } from './recognise'
import { animation, backgroundList, bodyReport, modelFile } from '@/testkit/assets'

const FBX = new TextEncoder().encode('Kaydara FBX Binary  \0\x1a\0')
const JPEG = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16])
const WEBP = new TextEncoder().encode('RIFF\0\0\0\0WEBPVP8 ')

const found = async (name: string, content: Uint8Array<ArrayBuffer> | string) => {
  const { kind, filename } = await recognise(file(name, content))
  return `${kind}/${filename}`
}
const trouble = (name: string, content: Uint8Array<ArrayBuffer> | string) =>
  recognise(file(name, content)).then(
    ({ kind }) => `taken as ${kind}`,
    (error: Error) => error.message,
  )

describe('a file is known by what is in it', () => {
  test.each([
    ['alice.vrm', glb(VRM), 'models/alice.vrm'],
    ['old.vrm', glb(VRM_0), 'models/old.vrm'],
    ['alice.glb', glb(VRM), 'models/alice.vrm'],
    ['ALICE.VRM', glb(VRM), 'models/ALICE.vrm'],
    ['dance.vrma', glb(VRMA), 'anims/dance.vrma'],
    ['dance', glb(VRMA), 'anims/dance.vrma'],
    ['jump.fbx', FBX, 'anims/jump.fbx'],
    ['sea.png', PNG, 'backgrounds/sea.png'],
    ['sea.jpeg', JPEG, 'backgrounds/sea.jpeg'],
    ['sea.png', JPEG, 'backgrounds/sea.jpg'],
    ['sea.webp', WEBP, 'backgrounds/sea.webp'],
    ['  a/b:c\\d.png', PNG, 'backgrounds/a b c d.png'],
    ['...png', PNG, 'backgrounds/unnamed.png'],
  ])('%s', async (name, content, expected) => {
    expect(await found(name, content)).toBe(expected)
  })

  test('a name that is too long is cut, between two letters', async () => {
    const { filename } = await recognise(file(`${'月'.repeat(90)}.vrm`, glb(VRM)))
    expect(filename).toMatch(/^月+\.vrm$/)
    expect(new TextEncoder().encode(filename).length).toBeLessThanOrEqual(200)
  })
})

describe('what is not hers is refused in words', () => {
  test.each([
    ['nothing.vrm', '', /is empty/],
    ['notes.vrm', 'Dear diary', /not a VRM file, although it is named like one/],
    ['move.vrma', 'Dear diary', /not a VRMA file/],
    ['jump.fbx', 'hello', /not an FBX file/],
    ['jump.fbx', '; FBX 7.4.0 project file', /Save it as binary FBX/],
    ['cube.glb', glb({ asset: { version: '2.0' } }), /is a 3D model but not a VRM/],
    ['cube.gltf', '{"asset":{}}', /split into several files/],
    ['half.vrm', glb(VRM, { cut: 12 }), /damaged or incomplete/],
    ['half.vrm', glb(VRM).slice(0, 15), /damaged or incomplete/],
    ['odd.vrm', glb('{"extensions":'), /damaged or incomplete/],
    ['odd.vrm', glb('null'), /damaged or incomplete/],
    ['sea.vrm', PNG, /not what its name says: it contains a picture/],
    ['alice.png', glb(VRM), /not what its name says: it contains an avatar/],
    ['sea.png', 'hello', /not a picture, although/],
    ['notes.txt', 'hello', /not an avatar, an animation or a picture/],
  ])('%s', async (name, content, expected) => {
    expect(await trouble(name, content)).toMatch(expected)
  })

  test('a huge one is refused before it is read', async () => {
    const huge = file('alice.vrm', glb(VRM))
    Object.defineProperty(huge, 'size', { value: 300_000_000 })
    await expect(recognise(huge)).rejects.toThrow(/is 300 MB. Files can be up to 201 MB/)
  })

  test('a folder cannot be read', async () => {
    const folder = file('models', 'x')
    folder.slice = () => {
      throw new DOMException('is a directory', 'NotFoundError')
    }
    await expect(recognise(folder)).rejects.toThrow(/cannot be read. Was it moved, or is it a folder/)
  })
})

test('what is held over the page is sorted by its name', () => {
  expect(['a.vrm', 'a.VRMA', 'a.fbx', 'a.glb', 'a.png', 'vrm', 'a.vrm.txt'].map((name) => isAssetName({ name }))).toEqual([true, true, true, true, false, false, false])
  expect(isPicture({ name: 'x', type: 'image/heic' })).toBe(true)
  expect(isPicture({ name: 'x.JPG', type: '' })).toBe(true)
  expect(isPicture({ name: 'x.txt', type: 'text/plain' })).toBe(false)
})

describe('a name that is taken', () => {
  const known = {
    body: bodyReport({ models: [modelFile('alice.vrm'), modelFile('alice 2.vrm')] }),
    animations: [animation('wave'), animation('dance', { own: false, format: 'fbx' })],
    backgrounds: backgroundList('night', 'sea.png'),
  }
  test('is found, whatever its ending where that does not tell two apart', () => {
    expect(nameConflict('models', 'alice.vrm', known)).toEqual({ filename: 'alice.vrm', own: false })
    expect(nameConflict('models', 'Alice.vrm', known)).toEqual({ filename: 'alice.vrm', own: false })
    expect(nameConflict('models', 'bob.vrm', known)).toBeNull()
    expect(nameConflict('anims', 'dance.vrma', known)).toEqual({ filename: 'dance.fbx', own: false })
    expect(nameConflict('anims', 'wave.fbx', known)).toEqual({ filename: 'wave.vrma', own: true })
    expect(nameConflict('backgrounds', 'sea.png', known)).toEqual({ filename: 'sea.png', own: false })
    expect(nameConflict('backgrounds', 'night', known)).toBeNull()
  })

  test('gets a number that is free', () => {
    expect(freeAssetName('models', 'alice.vrm', known)).toBe('alice 3.vrm')
    expect(freeAssetName('models', 'alice 2.vrm', known)).toBe('alice 3.vrm')
    expect(freeAssetName('anims', 'wave.vrma', known)).toBe('wave 2.vrma')
  })
})
