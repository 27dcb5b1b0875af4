import { expect, onTestFinished, test } from 'vitest'
import {
  followAccountPages,
  type Page,
  type Served,
} from '../../../../src-main/desktop/pages/account-pages.ts'
import type { AccountPages } from '../../../../src-main/app/create-app.ts'
import { Latest } from '#domain/base/latest.ts'
import { settle } from '../../../support/fake-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'

interface FakePage {
  readonly served: () => Served | null
  readonly loads: Parameters<Page['load']>[0][]
  isSeen: boolean
  isClosed: boolean
}

function fakePages(load: () => Promise<void> = () => Promise.resolve()) {
  const pages: FakePage[] = []
  const make = (served: () => Served | null): Page => {
    const page: FakePage = { served, loads: [], isSeen: false, isClosed: false }
    pages.push(page)
    return {
      load: (what) => {
        page.loads.push(what)
        return load()
      },
      show: () => (page.isSeen = true),
      hide: () => (page.isSeen = false),
      close: () => (page.isClosed = true),
    }
  }
  const loaded = () => pages.map((page) => page.loads.map(({ account, path }) => [account, path]))
  return { pages, make, loaded }
}

async function setUp(
  first: AccountPages,
  load: () => Promise<void> = () => Promise.resolve(),
  pageOf: (account: string) => string | null = () => null,
) {
  const accountPages = new Latest(first)
  const log = memoryLog()
  const { pages, make, loaded } = fakePages(load)
  const end = new AbortController()
  const opened = Promise.resolve({ accountPages, pageOf })
  const { front } = first
  const path = front === null ? null : pageOf(front)
  const following = followAccountPages({ first: { account: front, path }, opened, make, log }, end.signal)
  onTestFinished(async () => {
    end.abort()
    await following
  })
  const turn = async (next: Partial<AccountPages>): Promise<void> => {
    accountPages.set({ ...accountPages.value, fresh: null, ...next })
    await settle()
  }
  await settle()
  return { pages, loaded, log, turn }
}

const seen = (pages: readonly FakePage[]): readonly boolean[] => pages.map(({ isSeen }) => isSeen)

test('each account has a page, which is loaded once; the one in front is seen', async () => {
  const { pages, loaded, turn } = await setUp({ front: 'a', ids: ['a', 'b'], fresh: null })
  await turn({ front: 'b' })
  expect(seen(pages)).toEqual([false, true])
  await turn({ front: 'a' })
  expect(seen(pages)).toEqual([true, false])
  expect(loaded()).toEqual([[['a', null]], [['b', null]]])
  expect(pages.some(({ isClosed }) => isClosed)).toBe(false)
})

test('the page on which an account was connected becomes its page, and goes on with the first run', async () => {
  const { pages, loaded, turn } = await setUp({ front: null, ids: [], fresh: null })
  await turn({ front: 'a', ids: ['a'], fresh: 'a' })
  expect(loaded()).toEqual([
    [
      [null, '/welcome'],
      ['a', '/welcome?step=machine'],
    ],
  ])
  expect(seen(pages)).toEqual([true])
})

test('a page of an account that left is taken for one without a page, else it is closed', async () => {
  const { pages, loaded, turn } = await setUp({ front: 'a', ids: ['a', 'b', 'c'], fresh: null })
  await turn({ front: 'b', ids: ['b', 'c'] })
  expect(loaded()).toEqual([
    [
      ['a', null],
      ['b', null],
    ],
  ])
  await turn({ front: 'c' })
  await turn({ front: 'b', ids: ['b'] })
  expect(pages.map(({ isClosed }) => isClosed)).toEqual([false, true])
  expect(seen(pages)).toEqual([true, false])
})

test('the page of an account that left is closed also behind the one in front, which stays as it is', async () => {
  const { pages, loaded, turn } = await setUp({ front: 'a', ids: ['a', 'b'], fresh: null })
  await turn({ front: 'b' })
  await turn({ ids: ['b'] })
  expect(pages.map(({ isClosed }) => isClosed)).toEqual([true, false])
  expect(seen(pages)).toEqual([false, true])
  expect(loaded()).toEqual([[['a', null]], [['b', null]]])
})

test('security: until the document of the new account is there, nobody is served', async () => {
  const { pages, turn } = await setUp({ front: 'a', ids: ['a'], fresh: null })
  const [page] = pages
  expect(page?.served()).toBeNull()
  page?.loads[0]?.begun()
  expect(page?.served()).toEqual({ account: 'a' })
  await turn({ front: 'b', ids: ['b'] })
  expect(page?.served()).toBeNull()
  // What was loaded before arrives late.
  page?.loads[0]?.begun()
  expect(page?.served()).toBeNull()
  page?.loads[1]?.begun()
  expect(page?.served()).toEqual({ account: 'b' })
})

test('a page that cannot be loaded is told in the log, serves nobody, and the window goes on', async () => {
  const { pages, log, turn } = await setUp({ front: 'a', ids: ['a', 'b'], fresh: null }, () =>
    Promise.reject(new Error('no such file')),
  )
  expect(log.lines).toHaveLength(1)
  expect(pages[0]?.served()).toBeNull()
  await turn({ front: 'b' })
  expect(seen(pages)).toEqual([false, true])
})

test('a page begins where it was left, but for the first run of an account that is new', async () => {
  const { loaded, turn } = await setUp(
    { front: 'a', ids: ['a', 'b'], fresh: null },
    undefined,
    (account) => `/left/${account}`,
  )
  await turn({ front: 'b', fresh: 'b' })
  expect(loaded()).toEqual([[['a', '/left/a']], [['b', '/welcome?step=machine']]])
})

test('the first page is loaded before the accounts are open, and is loaded anew where another one is in front then', async () => {
  const opened = Promise.withResolvers<Awaited<Parameters<typeof followAccountPages>[0]['opened']>>()
  const { pages, make, loaded } = fakePages()
  const log = memoryLog()
  const end = new AbortController()
  const first = { account: 'a', path: '/instances' }
  const following = followAccountPages({ first, opened: opened.promise, make, log }, end.signal)
  await settle()
  expect(loaded()).toEqual([[['a', '/instances']]])
  expect(seen(pages)).toEqual([true])
  const accountPages = new Latest<AccountPages>({ front: null, ids: [], fresh: null })
  opened.resolve({ accountPages, pageOf: () => null })
  await settle()
  expect(loaded()).toEqual([
    [
      ['a', '/instances'],
      [null, '/welcome'],
    ],
  ])
  end.abort()
  await following
})

test('where the accounts can’t be opened, the first page is the last', async () => {
  const { make } = fakePages()
  const opened = Promise.reject(new Error('no disk'))
  const first = { account: 'a', path: null }
  await expect(followAccountPages({ first, opened, make, log: memoryLog() })).resolves.toBeUndefined()
})
