import { expect, test, vi } from 'vitest'

vi.mock('@nuxt/ui/composables/useToast', () => ({ useToast: () => ({ add: () => undefined }) }))
const { useChanges } = await import('../../../../src-renderer/features/settings/use-changes.ts')
// Where the keyboard is.
vi.stubGlobal('document', Object.assign(new EventTarget(), { activeElement: {}, body: {} }))

interface Font {
  readonly family: string
  readonly size: number
}

test('a change that is made while another is saved is saved, too, and keeps the other', async () => {
  const first = Promise.withResolvers<undefined>()
  const save = vi.fn<(changes: Partial<Font>) => Promise<unknown>>(() => Promise.resolve())
  save.mockReturnValueOnce(first.promise)
  const change = useChanges<Font>(save)
  const changing = change({ size: 20 })
  await change({ family: 'Mono' })
  first.resolve(undefined)
  await changing
  expect(save.mock.calls).toEqual([[{ size: 20 }], [{ size: 20, family: 'Mono' }]])
})

test('a change that cannot be saved is not tried again with the next one', async () => {
  const save = vi.fn<(changes: Partial<Font>) => Promise<unknown>>(() => Promise.resolve())
  save.mockRejectedValueOnce(new Error('the disk is full'))
  const change = useChanges<Font>(save)
  await change({ size: 20 })
  await change({ family: 'Mono' })
  expect(save).toHaveBeenLastCalledWith({ family: 'Mono' })
})

test('a change that waits while another cannot be saved is saved all the same', async () => {
  const first = Promise.withResolvers<undefined>()
  const save = vi.fn<(changes: Partial<Font>) => Promise<unknown>>(() => Promise.resolve())
  save.mockReturnValueOnce(first.promise)
  const change = useChanges<Font>(save)
  const changing = change({ size: 20 })
  await change({ family: 'Mono' })
  first.reject(new Error('the disk is full'))
  await changing
  expect(save.mock.calls).toEqual([[{ size: 20 }], [{ family: 'Mono' }]])
})
