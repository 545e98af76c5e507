import '@/testkit/browser'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cue, onCue } from '@/body/cues'
import { useStore } from '@/store'
import { receive } from '@/store/boot'
import { button, clear, draw, press } from '@/testkit/draw'
import { animation, backgroundList, bodyReport, file, glb, modelFile, PNG, VRM, VRMA } from '@/testkit/assets'
import { requests, routes, json, refusal, serve } from '@/testkit/server'
import { freshStores } from '@/testkit/stores'
import { PendingUploads } from './PendingUploads'
import BodySection from './BodySection'
import { distribute, dropPreview } from './drop'

vi.mock('./thumbnail', () => ({ thumbnail: () => Promise.reject(new Error('no graphics')) }))

const state = () => useStore.getState()
const notices = () => state().notices.map(({ text }) => text)
const undo = () => act(async () => state().notices.at(-1)?.action?.run())
const sent = (sign: RegExp) => requests.filter(({ route }) => sign.test(route)).map(({ route, body }) => [route, ...(Object.keys(body).length > 0 ? [body] : [])])
const changes = () => sent(/^(?:PUT|DELETE|POST)/)
const cues: Cue[] = []
let stopListening = () => {}
let body = bodyReport()
let backgrounds = backgroundList()
let animations = [animation('wave'), animation('idle', { looped: true })]

const nothing = () => new Response(null, { status: 204 })
const keepModel = (filename: string) => () => {
  body = { ...body, models: [...body.models.filter((known) => known.filename !== filename), modelFile(filename)] }
  return nothing()
}

beforeEach(() => {
  serve()
  body = bodyReport()
  backgrounds = backgroundList()
  animations = [animation('wave'), animation('idle', { looped: true })]
  cues.length = 0
  stopListening = onCue((cue) => cues.push(cue))
  freshStores({ companionName: 'Luna' })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  routes['GET /api/body'] = () => json(body)
  routes['GET /api/animations'] = () => json({ animations })
  routes['GET /api/backgrounds'] = () => json(backgrounds)
  routes['PUT /api/body'] = (choice) => {
    body = { ...body, ...(choice['palette'] ? { palette: String(choice['palette']) } : {}), ...(choice['model'] === undefined ? {} : { model: String(choice['model']) || null }) }
    return json(body)
  }
  routes['PUT /api/backgrounds'] = ({ filename }) => {
    backgrounds = { ...backgrounds, current: String(filename) }
    return json(backgrounds)
  }
  routes['PUT /api/assets/models/alice.vrm'] = keepModel('alice.vrm')
  routes['DELETE /api/assets/models/alice.vrm'] = () => {
    body = { ...body, models: body.models.filter(({ filename }) => filename !== 'alice.vrm') }
    return nothing()
  }
})

afterEach(async () => {
  stopListening()
  await clear()
  vi.unstubAllGlobals()
})

describe('a file that comes', () => {
  test('is worn at once, and Undo takes off and away what came', async () => {
    await state().addAssets([file('alice.vrm', glb(VRM))])
    expect(changes()).toEqual([['PUT /api/assets/models/alice.vrm'], ['PUT /api/body', { model: 'alice.vrm' }]])
    expect(notices()).toEqual(['Avatar changed to “alice.vrm”.'])
    requests.length = 0
    await undo()
    expect(changes()).toEqual([['PUT /api/body', { model: '' }], ['DELETE /api/assets/models/alice.vrm']])
    expect(state().body?.models).toEqual([])
  })

  test('is played by the name without its ending, when the list has it', async () => {
    routes['PUT /api/assets/anims/dance.vrma'] = () => {
      animations = [...animations, animation('dance', { own: false })]
      return nothing()
    }
    await state().addAssets([file('dance.vrma', glb(VRMA))])
    expect(cues).toEqual([{ action: 'play', animation: 'dance' }])
    expect(state().animations.map(({ name }) => name)).toContain('dance')
    expect(notices()).toEqual(['Animation added: “dance”.'])
  })

  test('goes behind her, and Undo brings back what was there', async () => {
    backgrounds = backgroundList('dusk')
    routes['PUT /api/assets/backgrounds/sea.png'] = nothing
    routes['DELETE /api/assets/backgrounds/sea.png'] = nothing
    await state().addAssets([file('sea.png', PNG)])
    expect(notices()).toEqual(['“sea.png” is the new background.'])
    await undo()
    expect(backgrounds.current).toBe('dusk')
    expect(sent(/^DELETE/)).toEqual([['DELETE /api/assets/backgrounds/sea.png']])
  })

  test('of two bodies the last is worn, and one Undo is for both', async () => {
    routes['PUT /api/assets/models/bob.vrm'] = keepModel('bob.vrm')
    routes['DELETE /api/assets/models/bob.vrm'] = nothing
    await state().addAssets([file('alice.vrm', glb(VRM)), file('bob.vrm', glb(VRM))])
    expect(sent(/PUT .api.body/)).toEqual([['PUT /api/body', { model: 'bob.vrm' }]])
    expect(notices()).toEqual(['2 files added. Avatar changed to “bob.vrm”.'])
    await undo()
    expect(sent(/^DELETE/)).toHaveLength(2)
  })

  test('that is broken is told once, and the good one beside it is worn', async () => {
    await state().addAssets([file('a.vrm', ''), file('b.vrm', 'hello'), file('alice.vrm', glb(VRM))])
    expect(notices()).toEqual(['“a.vrm” is empty. And 1 more file was not added.', 'Avatar changed to “alice.vrm”.'])
    expect(sent(/PUT .api.assets/)).toHaveLength(1)
  })

  test.each([
    [() => refusal(413, 'tooLarge', 'files may have up to 201 MB'), '“alice.vrm” was not added. Files may have up to 201 MB.'],
    [() => refusal(403, 'forbidden', 'only the owner can do this'), '“alice.vrm” was not added. Only the owner can do this.'],
    [() => Promise.reject(new TypeError('network')), '“alice.vrm” was not added. Perigee does not answer. It may have stopped: start it again, or wait a moment.'],
  ])('that the server does not keep is not worn', async (route, words) => {
    routes['PUT /api/assets/models/alice.vrm'] = route
    await state().addAssets([file('alice.vrm', glb(VRM))])
    expect(notices()).toEqual([words])
    expect(sent(/PUT .api.body/)).toEqual([])
    expect(state().pendingUploads).toEqual([])
  })

  test('while the server is away is not sent blindly over another one', async () => {
    routes['GET /api/body'] = () => Promise.reject(new TypeError('network'))
    await state().addAssets([file('alice.vrm', glb(VRM))])
    expect(changes()).toEqual([])
    expect(notices()[0]).toMatch(/does not answer/)
  })
})

describe('a name that is taken', () => {
  const drop = async () => {
    body = bodyReport({ models: [modelFile('alice.vrm')] })
    await draw(<PendingUploads />)
    let done = Promise.resolve()
    await act(async () => {
      done = state().addAssets([file('alice.vrm', glb(VRM))])
      await vi.waitFor(() => expect(state().nameTaken).not.toBeNull())
    })
    return () => act(() => done)
  }

  test('is replaced when that was asked for, and Undo brings the other one back', async () => {
    routes['POST /api/assets/models/alice.vrm/restore'] = nothing
    const settled = await drop()
    expect(changes()).toEqual([])
    await press('Replace it')
    await settled()
    expect(changes()[0]).toEqual(['PUT /api/assets/models/alice.vrm'])
    await undo()
    expect(sent(/^(?:DELETE|POST)/)).toEqual([['POST /api/assets/models/alice.vrm/restore']])
  })

  test('gets a number otherwise', async () => {
    routes['PUT /api/assets/models/alice%202.vrm'] = keepModel('alice 2.vrm')
    const settled = await drop()
    await press('Keep both')
    await settled()
    expect(changes()).toEqual([['PUT /api/assets/models/alice%202.vrm'], ['PUT /api/body', { model: 'alice 2.vrm' }]])
  })

  test('and nothing is done when it is closed', async () => {
    const settled = await drop()
    await press('Cancel')
    await settled()
    expect(changes()).toEqual([])
    expect(notices()).toEqual([])
  })

  test('under another ending the old animation goes, so that it does not stand in the way', async () => {
    animations = [animation('dance', { own: false, format: 'fbx' })]
    routes['PUT /api/assets/anims/dance.vrma'] = nothing
    routes['DELETE /api/assets/anims/dance.fbx'] = nothing
    const done = state().addAssets([file('dance.vrma', glb(VRMA))])
    await vi.waitFor(() => expect(state().nameTaken).not.toBeNull())
    state().nameTaken?.answer('replace')
    await done
    expect(changes()).toEqual([['PUT /api/assets/anims/dance.vrma'], ['DELETE /api/assets/anims/dance.fbx']])
  })
})

describe('a file that takes long', () => {
  test('says so after a second, and can be given up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      routes['PUT /api/assets/models/alice.vrm'] = () => new Promise(() => {})
      await draw(<PendingUploads />)
      let done = Promise.resolve()
      await act(async () => {
        done = state().addAssets([file('alice.vrm', glb(VRM))])
        for (let turn = 0; turn < 50 && sent(/PUT .api.assets/).length === 0; turn += 1) await Promise.resolve()
        await vi.advanceTimersByTimeAsync(900)
      })
      expect(document.body.textContent).not.toContain('Bringing')
      await act(async () => void (await vi.advanceTimersByTimeAsync(200)))
      expect(document.body.textContent).toContain('Adding “alice.vrm”')
      expect(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')).toBe('50')
      await press('Stop adding alice.vrm')
      await act(() => done)
      expect(state().pendingUploads).toEqual([])
      expect(notices()).toEqual(['“alice.vrm” was not added.'])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('what is taken away', () => {
  test('is taken off first, and Undo puts it on again', async () => {
    body = bodyReport({ model: 'alice.vrm', models: [modelFile('alice.vrm')] })
    routes['POST /api/assets/models/alice.vrm/restore'] = keepModel('alice.vrm')
    await state().refreshBody()
    await state().removeAsset('models', 'alice.vrm')
    expect(changes()).toEqual([['PUT /api/body', { model: '' }], ['DELETE /api/assets/models/alice.vrm']])
    expect(notices()).toEqual(['“alice.vrm” was removed.'])
    requests.length = 0
    await undo()
    await vi.waitFor(() => expect(changes()).toEqual([['POST /api/assets/models/alice.vrm/restore'], ['PUT /api/body', { model: 'alice.vrm' }]]))
  })

  test('stays on her where it cannot be taken away', async () => {
    body = bodyReport({ model: 'alice.vrm', models: [modelFile('alice.vrm')] })
    routes['DELETE /api/assets/models/alice.vrm'] = () => refusal(500, 'internal', 'the disk is full')
    await state().refreshBody()
    await state().removeAsset('models', 'alice.vrm')
    expect(body.model).toBe('alice.vrm')
    expect(notices()).toEqual(['The disk is full.'])
  })
})

describe('what is dropped', () => {
  const text = file('notes.txt', 'hello')
  test('goes to whom it is for', async () => {
    const addFiles = vi.fn(() => Promise.resolve())
    const addAssets = vi.fn(() => Promise.resolve())
    useStore.setState({ addFiles, addAssets })
    const [body, picture] = [file('alice.vrm', glb(VRM)), file('sea.png', PNG)]
    distribute({ files: [body, picture, text], folders: [] }, { behind: false, talk: 'new' })
    expect(addAssets).toHaveBeenCalledWith([body])
    expect(addFiles).toHaveBeenCalledWith('new', [picture, text])
    distribute({ files: [picture], folders: [] }, { behind: true, talk: 'new' })
    expect(addAssets).toHaveBeenLastCalledWith([picture])
    expect(notices()).toEqual([])
  })

  test('and has no place is told so', () => {
    distribute({ files: [text], folders: ['models'] }, { behind: true, talk: null })
    expect(notices()).toEqual(['“models” is a folder. Drop the files that are in it.', '“notes.txt” can’t be dropped here. Drop it on a chat to show it to her.'])
  })

  test('is announced while it is held', () => {
    const on = { behind: true, talk: null }
    expect(dropPreview(['image/png'], on).title).toBe('Drop to set as background')
    expect(dropPreview(['image/png', 'image/png'], on).title).toBe('Drop to set as backgrounds')
    expect(dropPreview(['image/png'], { behind: false, talk: 'new' }).title).toBe('Drop to attach')
    expect(dropPreview(['image/png'], { behind: false, talk: null }).refused).toBe(true)
    expect(dropPreview(['text/plain'], on).refused).toBe(true)
    expect(dropPreview([''], on).note).toMatch(/is used at once/)
    expect(dropPreview(['', 'text/plain'], { behind: false, talk: 'new' }).note).toMatch(/attached to your message/)
  })
})

describe('the section', () => {
  const radio = (name: string) => [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].find((found) => found.ariaLabel === name || found.getAttribute('aria-label') === name || found.closest('label')?.textContent?.startsWith(name))
  const choose = (name: string) => act(async () => radio(name)?.click())

  test('shows what there is, and each choice applies at once', async () => {
    body = bodyReport({ models: [modelFile('alice.vrm')] })
    await draw(<BodySection />)
    expect(radio('moon')?.checked).toBe(true)
    await choose('dawn')
    await choose('alice')
    await choose('Dusk')
    await choose('Midnight')
    expect(changes()).toEqual([
      ['PUT /api/body', { model: '', palette: 'dawn' }],
      ['PUT /api/body', { model: 'alice.vrm' }],
      ['PUT /api/backgrounds', { filename: 'dusk' }],
      ['PUT /api/backgrounds', { filename: '#10142b' }],
    ])
    expect(radio('alice')?.checked).toBe(true)
    expect(radio('Midnight')?.checked).toBe(true)
  })

  test('follows what is chosen elsewhere', async () => {
    await draw(<BodySection />)
    body = bodyReport({ palette: 'forest' })
    await act(async () => receive({ action: 'body_changed' }))
    await act(async () => receive({ action: 'set_background', filename: 'dusk' }))
    expect(radio('forest')?.checked).toBe(true)
    expect(radio('Dusk')?.checked).toBe(true)
  })

  test('plays what is pressed, once', async () => {
    await draw(<BodySection />)
    await act(async () => button('Wave')?.focus())
    await press('Wave')
    await press('Wave')
    expect(cues).toEqual([{ action: 'play', animation: 'wave' }])
  })

  test('takes any colour by its number, when it is whole', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await draw(<BodySection />)
      const field = document.querySelector<HTMLInputElement>('input[aria-label="Colour code"]')
      const type = (value: string) =>
        act(async () => {
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
          field?.dispatchEvent(new Event('input', { bubbles: true }))
          await vi.advanceTimersByTimeAsync(400)
        })
      await type('#1234')
      expect(changes()).toEqual([])
      await type('AABBCC')
      expect(changes()).toEqual([['PUT /api/backgrounds', { filename: '#aabbcc' }]])
    } finally {
      vi.useRealTimers()
    }
  })

  test('says why there is nothing, and tries again', async () => {
    routes['GET /api/body'] = () => Promise.reject(new TypeError('network'))
    await draw(<BodySection />)
    expect(document.querySelector('[role=alert]')?.textContent).toMatch(/does not answer/)
    routes['GET /api/body'] = () => json(body)
    await press('Try again')
    expect(radio('moon')).toBeDefined()
  })

  test('keeps the quality in this browser', async () => {
    await draw(<BodySection />)
    await choose('Low')
    expect(localStorage.getItem('perigee.quality')).toBe('low')
    await choose('Automatic')
    expect(localStorage.getItem('perigee.quality')).toBeNull()
  })

  test('says what the quality came down to where that is left to the device', async () => {
    await draw(<BodySection />)
    const text = () => document.body.textContent ?? ''
    expect(text()).toContain('As detailed as this device can draw smoothly.')
    await act(async () => useStore.getState().setDrawnQuality('still'))
    expect(text()).toContain('she stands still, and only her face changes. For this browser.')
    await choose('High')
    expect(text()).toContain('Full detail all the time.')
  })
})
