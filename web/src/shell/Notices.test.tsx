import '@/testkit/browser'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useMemoryStore } from '@/memory/useMemoryStore'
import { useStore } from '@/store'
import { clear, draw, press } from '@/testkit/draw'
import { fact } from '@/testkit/memory'
import { freshStores } from '@/testkit/stores'
import { Notices } from './Notices'
import type { Route } from './route'


beforeEach(() => freshStores())
afterEach(clear)

test.each<[Route, number, RegExp]>([
  [{ page: 'new' }, 0, /(?:^| )top-/],
  [{ page: 'chat', id: '0000000000abc' }, 0, /(?:^| )top-/],
  [{ page: 'code' }, 0, /(?:^| )top-/],
  [{ page: 'memory' }, 0, /(?:^| )bottom-\[calc\(1rem/],
  [{ page: 'memory' }, 1, /(?:^| )bottom-\[calc\(5rem/],
  [{ page: 'personality' }, 1, /(?:^| )bottom-\[calc\(1rem/],
])('on %o with %i chosen, they cover neither a heading nor what is written', async (route, chosen, place) => {
  useStore.setState({ route })
  useMemoryStore.setState({ chosenFacts: chosen > 0 ? [fact('a', 'A')] : [] })
  await draw(<Notices />)
  expect(document.querySelector('[role=status]')?.className).toMatch(place)
})

test.each([['dev', false], ['user', true], ['luna', true]] as const)('in the view %s they are of glass: %s', async (view, glass) => {
  useStore.setState({ view })
  useStore.getState().notify({ tone: 'plain', text: 'Changed.' })
  await draw(<Notices />)
  expect(document.querySelector('[role=status] > div')?.classList.contains('glass')).toBe(glass)
})

test('one with a way back goes when that is taken', async () => {
  let undone = 0
  useStore.getState().notify({ tone: 'plain', text: 'Changed.', action: { label: 'Undo', run: () => void (undone += 1) } })
  await draw(<Notices />)
  await press('Undo')
  expect(undone).toBe(1)
  expect(document.querySelector('[role=status]')?.textContent).toBe('')
})
