import { beforeEach, expect, test } from 'vitest'
import * as api from '@/api/memory'
import { fact } from '@/testkit/memory'
import { standIns } from '@/testkit/services'
import { createMemoryStore } from './store'

beforeEach(() => localStorage.clear())

test('the memory works without the rest of the app, each store for itself', async () => {
  const { said, went, notices, pages } = standIns({ page: 'memory' })
  const conversations = { refreshList: () => {}, refreshLoaded: () => {} }
  const store = createMemoryStore({ api: { ...api, addFact: async ({ content }) => fact('a', content) }, notices, pages, conversations })
  await store.getState().rememberThis('The dog is called Max.')
  expect(store.getState().facts.list.map(({ content }) => content)).toEqual(['The dog is called Max.'])
  expect(said).toHaveLength(1)
  said[0]?.action?.run()
  expect(went).toEqual([{ page: 'memory', tab: 'facts', item: 'a' }])
  expect(createMemoryStore({ api, notices, pages, conversations }).getState().facts.list).toEqual([])
})
