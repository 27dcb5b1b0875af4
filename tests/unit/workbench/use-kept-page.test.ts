import { beforeEach, expect, test, vi } from 'vitest'
import { effectScope, nextTick, reactive } from 'vue'
import { settle } from '../../support/fake-clock.ts'

interface Keeping {
  readonly page: string
  readonly done: () => void
  readonly fail: () => void
}
const keepings = vi.hoisted((): Keeping[] => [])
const route = reactive({ path: '/offers' })
const account = reactive<{ connected: object | null }>({ connected: {} })
vi.mock('#ipc/client.ts', () => ({
  client: {
    workbench: {
      keepPage: ({ page }: { readonly page: string }) =>
        new Promise<void>((done, reject) => {
          keepings.push({ page, done, fail: () => reject(new Error('the disk is full')) })
        }),
    },
  },
}))
vi.mock('vue-router', () => ({ useRoute: () => route }))
vi.mock('#shared/accounts/account-store.ts', () => ({ useAccountStore: () => account }))
vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))
const { useKeptPage } = await import('../../../src-renderer/workbench/use-kept-page.ts')

const told = () => keepings.map(({ page }) => page)
async function go(path: string): Promise<void> {
  route.path = path
  await nextTick()
}

beforeEach(() => {
  keepings.length = 0
  account.connected = {}
  route.path = '/offers'
})

test('who goes on while a page is being kept is found on the last one again', async () => {
  effectScope().run(useKeptPage)
  await go('/instances')
  await go('/instances/7')
  expect(told()).toEqual(['/offers'])
  keepings[0]?.done()
  await settle()
  expect(told()).toEqual(['/offers', '/instances/7'])
  keepings[1]?.done()
  await settle()
  await go('/cloud')
  expect(told()).toEqual(['/offers', '/instances/7', '/cloud'])
})

test('a page that could not be kept does not keep the next one from it', async () => {
  effectScope().run(useKeptPage)
  await go('/settings')
  keepings[0]?.fail()
  await settle()
  expect(told()).toEqual(['/offers', '/settings'])
})

test('without an account, and on a page with a question in it, nothing is kept', async () => {
  account.connected = null
  effectScope().run(useKeptPage)
  await go('/instances')
  account.connected = {}
  await nextTick()
  keepings[0]?.done()
  await settle()
  await go('/welcome')
  expect(told()).toEqual(['/instances'])
})
