import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import { mostBookmarks, noPlaces, type FilePlaces } from '#domain/files/file-places.ts'
import { nothingListed, type InstancesSnapshot } from '#domain/instances/instance.ts'
import { ProblemError } from '#domain/base/problem.ts'
import { KeptPlaces } from '#services/files/file-places.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'

const local = { side: 'local' } as const
const remote = (instanceId: number) => ({ side: 'remote', instanceId }) as const

function open(file = memoryFile<FilePlaces>({ local: noPlaces, instances: {} })) {
  const snapshot = new Latest<InstancesSnapshot>(nothingListed)
  return { file, snapshot, places: new KeptPlaces({ file, snapshot, log: memoryLog() }) }
}

test('bookmarks and the last folder are kept for each side, also over a restart', async () => {
  const { file, places } = open()
  await places.setBookmark(remote(7), '/data', true)
  await places.setBookmark(remote(7), '/data', true)
  await places.setBookmark(remote(7), '/logs', true)
  await places.setBookmark(local, '/home/kim', true)
  await places.noteShown(remote(7), '/logs')
  await places.setBookmark(remote(7), '/data', false)
  const again = open(file).places
  expect(again.state.value).toEqual({
    local: { bookmarks: ['/home/kim'], last: null },
    instances: { 7: { bookmarks: ['/logs'], last: '/logs' } },
  })
  expect([again.lastFolderOf(7), again.lastFolderOf(8)]).toEqual(['/logs', null])
})

test('more bookmarks than fit in a menu are refused', async () => {
  const { places } = open()
  for (let at = 0; at < mostBookmarks; at += 1) await places.setBookmark(local, `/${at}`, true)
  await expect(places.setBookmark(local, '/more', true)).rejects.toMatchObject({
    problem: { kind: 'invalid-input', fault: { code: 'too-many', most: mostBookmarks } },
  })
  await places.setBookmark(local, '/0', false)
  await places.setBookmark(local, '/more', true)
})

test('the folders of instances that are gone are forgotten, by whole lists only', async () => {
  const { snapshot, places } = open()
  await places.noteShown(local, '/home/kim')
  await places.noteShown(remote(7), '/data')
  const end = new AbortController()
  const following = places.follow(end.signal)
  await settle()
  snapshot.set({
    ...{ ...nothingListed, instances: [], fetchedAt: 1 },
    unreadable: [{ place: 1, id: null, detail: 'id' }],
  })
  await settle()
  expect(places.lastFolderOf(7)).toBe('/data')
  snapshot.set({ ...nothingListed, instances: [], fetchedAt: 2 })
  await settle()
  expect(places.state.value).toEqual({ local: { bookmarks: [], last: '/home/kim' }, instances: {} })
  end.abort()
  await following
})

test('where a folder cannot be kept, nobody is bothered; a bookmark that cannot be kept is told', async () => {
  const failed = new ProblemError({ kind: 'storage-failed', file: 'file-places.json', detail: '' })
  const { places } = open({
    ...memoryFile<FilePlaces>({ local: noPlaces, instances: {} }),
    update: () => Promise.reject(failed),
  })
  await places.noteShown(local, '/data')
  await expect(places.setBookmark(local, '/data', true)).rejects.toBe(failed)
})
