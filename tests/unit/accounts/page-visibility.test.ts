import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { PageVisibility } from '#services/accounts/page-visibility.ts'
import { settle } from '../../support/fake-clock.ts'

function setUp() {
  const visibility = new PageVisibility()
  const end = new AbortController()
  const accountPages = new Latest<{ readonly front: string | null }>({ front: null })
  void visibility.follow(accountPages, end.signal)
  const follow = (account: string | null): boolean[] => {
    const told: boolean[] = []
    void (async () => {
      for await (const isVisible of visibility.watch(account, end.signal)) told.push(isVisible)
    })()
    return told
  }
  return { visibility, accountPages, follow, end }
}

test('a page is seen while its account is in front and the window is seen, and is told of changes only', async () => {
  const { visibility, accountPages, follow, end } = setUp()
  const [a, b, nobody] = [follow('a'), follow('b'), follow(null)]
  await settle()
  expect([a, b, nobody]).toEqual([[false], [false], [false]])
  visibility.setWindowVisible(true)
  await settle()
  expect([a, b, nobody]).toEqual([[false], [false], [false, true]])
  accountPages.set({ front: 'a' })
  await settle()
  accountPages.set({ front: 'b' })
  await settle()
  expect([a, b, nobody]).toEqual([
    [false, true, false],
    [false, true],
    [false, true, false],
  ])
  visibility.setWindowVisible(false)
  await settle()
  accountPages.set({ front: 'a' })
  await settle()
  visibility.setWindowVisible(true)
  await settle()
  expect([a, b]).toEqual([
    [false, true, false, true],
    [false, true, false],
  ])
  end.abort()
})
