import { describe, expect, test } from 'vitest'
import type { Download, ModelsReport } from '@/api/protocol.gen'
import { report } from '@/testkit/models'
import { progressWords } from './DownloadLine'
import { reference } from './ServerList'
import { betterModel, inOrder, isTrial, modelLine } from './wording'

const MODELS = report()

const download = (more: Partial<Download>): Download => ({
  name: 'best', state: 'running', received: 0, total: 0, bytesPerSecond: 0, secondsLeft: null, source: null, message: '', ...more,
})

describe('models', () => {
  test('stand with the recommended one first and those that do not fit last', () => {
    expect(inOrder(MODELS).map(({ name }) => name)).toEqual(['best', 'other', 'small', 'tiny', 'huge'])
  })

  test('are told in one line', () => {
    expect(modelLine(MODELS)).toEqual({ text: 'Choose a model', tone: 'none' })
    expect(modelLine({ ...MODELS, downloads: [download({ received: 42, total: 100 })] }).text).toBe('Downloading 42 %')
    expect(modelLine({ ...MODELS, current: { state: 'loading', name: 'best' } }).text).toBe('Loading BEST')
    expect(modelLine({ ...MODELS, current: { state: 'failed', name: 'best', message: '' } }).tone).toBe('danger')
  })

  test('that suit this machine better are offered while one for trying answers', () => {
    const trying = report({ trial: true, current: { state: 'loading', name: 'tiny' } })
    expect(betterModel(trying)?.name).toBe('best')
    expect(betterModel(report())).toBeNull()
    expect(betterModel({ ...trying, recommended: 'tiny' })).toBeNull()
    expect(betterModel({ ...trying, recommended: null })).toBeNull()
  })

  test.each<[string, Partial<ModelsReport>, boolean]>([
    ['the tiny one, whatever is recommended', { recommended: null }, true],
    ['the tiny one on a machine that is too small for others', { recommended: 'tiny' }, true],
    ['another one, of which the report does not know yet', { current: { state: 'loading', name: 'best' } }, false],
    ['the tiny one that failed', { current: { state: 'failed', name: 'tiny', message: '' } }, false],
    ['one of the same name at a server', { trial: false }, false],
  ])('for trying are told from others: %s', (_, more, expected) => {
    expect(isTrial(report({ trial: true, current: { state: 'loading', name: 'tiny' }, ...more }))).toBe(expected)
  })

  test('of another server are named as the server lists them', () => {
    expect(reference('lmStudio', 'phi')).toBe('lm-studio/phi')
    expect(reference('ollama', 'llama3.2:3b')).toBe('ollama/llama3.2:3b')
  })

  test('say how far their download is', () => {
    expect(progressWords(download({ received: 2.1e9, total: 5e9, bytesPerSecond: 4.2e7, secondsLeft: 69 }))).toBe('2.1 GB of 5 GB · 42 MB/s · 1 min left')
    expect(progressWords(download({ received: 2.1e9 }))).toBe('2.1 GB')
    expect(progressWords(download({ state: 'checking' }))).toMatch(/Checking/)
    expect(progressWords(download({ state: 'waiting' }))).toMatch(/Starting/)
  })
})
