import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Notification } from '#domain/notifications/notification.ts'
import type { TransferOrder } from '#domain/files/transfer.ts'
import type { KeptTransfer } from '#services/files/transfer-store.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { waitFor } from '../../support/wait-for.ts'
import { openTransfers, startInstance, watchedTree, localTreeOf } from './instance.ts'
import { placesFor } from '../../support/files/transfer-places.ts'

async function start() {
  const instance = await startInstance()
  const told: Notification[] = []
  const file = memoryFile<readonly KeptTransfer[]>([])
  await writeFile(join(instance.local, 'big'), randomBytes(4_200_000))
  await mkdir(join(instance.remote, 'in'))
  const order: TransferOrder = {
    ...{ ...placesFor('upload'), from: instance.local, names: ['big'] },
    ...{ to: join(instance.remote, 'in'), honorGitignore: false },
  }
  const open = (options: Partial<Parameters<typeof openTransfers>[0]> = {}) =>
    openTransfers({ ...instance, file, notify: (one) => told.push(one), ...options })
  return { ...instance, order, file, told, open }
}

test('told of once when it is done, and only where that was asked for', async () => {
  const { open, order, told } = await start()
  const { transfers, over } = open()
  const { id } = transfers.start(order)
  transfers.notifyWhenDone(id, true)
  expect(await over(id)).toMatchObject({ phase: { kind: 'done' }, notifies: false })
  expect(told).toMatchObject(
    [{ title: 'Upload to instance 1 finished', body: /^1 file, 4\.2 MB in \d+ s\.$/ }].map(
      ({ title, body }) => ({ title, body: expect.stringMatching(body) as unknown }),
    ),
  )
  const other = transfers.start({ ...order, to: join(order.to, '..') })
  await over(other.id)
  expect(told).toHaveLength(1)
})

test('a question is told, and then the end; a cancel is not', async () => {
  const { open, order, told } = await start()
  const { transfers, until, over } = open()
  await writeFile(join(order.to, 'big'), 'other')
  const asked = transfers.start(order)
  transfers.notifyWhenDone(asked.id, true)
  await until(asked.id, ({ phase }) => phase.kind === 'asking')
  transfers.answer(asked.id, 'replace')
  await over(asked.id)
  const titles = told.map(({ title }) => title)
  expect(titles).toEqual(['Upload to instance 1 needs an answer', 'Upload to instance 1 finished'])
  await writeFile(join(order.to, 'big'), 'other')
  const canceled = transfers.start(order)
  transfers.notifyWhenDone(canceled.id, true)
  await until(canceled.id, ({ phase }) => phase.kind === 'asking')
  transfers.cancel(canceled.id)
  await over(canceled.id)
  expect(told.slice(2).map(({ title }) => title)).toEqual(['Upload to instance 1 needs an answer'])
})

test('one that fails is told; tried again, it is not until that is asked for again', async () => {
  const { open, order, told } = await start()
  const { transfers, over } = open()
  const { id } = transfers.start({ ...order, names: ['none'] })
  transfers.notifyWhenDone(id, true)
  expect((await over(id)).phase.kind).toBe('failed')
  expect(told.map(({ title }) => title)).toEqual(['Upload to instance 1 failed'])
  transfers.notifyWhenDone(id, true)
  transfers.retry(id)
  expect(await over(id)).toMatchObject({ notifies: false })
  expect(told).toHaveLength(1)
})

test('the wish outlives a restart, as the transfer does', async () => {
  const { open, order, file, told, local } = await start()
  const reading = Promise.withResolvers<undefined>()
  const localTree = watchedTree(localTreeOf(local), () => reading.resolve(undefined))
  const first = open({ localTree })
  const { id } = first.transfers.start(order)
  first.transfers.notifyWhenDone(id, true)
  await waitFor(() => expect(file.value).toMatchObject([{ id, notifies: true }]))
  await reading.promise
  await first.transfers.dispose()
  expect(file.value).toMatchObject([{ id, notifies: true }])
  expect(told).toEqual([])
  const second = open()
  await second.over(id)
  expect(told.map(({ title, body }) => `${title}: ${body}`)).toEqual([
    'Upload to instance 1 finished: 1 file, 4.2 MB.',
  ])
})
