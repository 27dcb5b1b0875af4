import { describe, expect, test } from 'vitest'
import type { RentalNotice } from '#domain/instances/instance.ts'
import { keychainText } from '#ui/problems/keychain-text.ts'
import { rentalNoticeText } from '#shared/renting/rental-notice-text.ts'
import { serviceState } from '../../../src-renderer/workbench/service-state.ts'

function notice(outcome: RentalNotice['outcome']): RentalNotice {
  return { id: 'n', offerId: 900, sentAt: 0, outcome }
}

describe('a rental whose reply was lost', () => {
  test('is charged when it was found', () => {
    const told = rentalNoticeText(notice({ kind: 'adopted', instanceId: 7 }))
    expect(told.title).toBe('Offer 900 was rented')
    expect(told.text).toContain('instance 7. You’re charged for it.')
    expect(told.instanceIds).toEqual([7])
  })
  test('may be any of several: all of them are named', () => {
    const told = rentalNoticeText(notice({ kind: 'ambiguous', instanceIds: [7, 8] }))
    expect(told).toMatchObject({ tone: 'warning', instanceIds: [7, 8] })
    expect(told.text).toContain('7, 8')
  })
  test('did not happen: nothing is charged', () => {
    expect(rentalNoticeText(notice({ kind: 'nothing-created' })).text).toContain('You aren’t charged')
  })
  test('is still unknown: it must not be rented again', () => {
    expect(rentalNoticeText(notice({ kind: 'checking' })).text).toContain('Don’t rent this offer again')
  })
})

describe('the service', () => {
  const quiet = { fetchedAt: null, listProblem: null, accountProblem: null }
  test('was not asked yet', () => {
    expect(serviceState(quiet)).toEqual({ kind: 'not-asked' })
  })
  test('answers', () => {
    expect(serviceState({ ...quiet, fetchedAt: 1 })).toEqual({ kind: 'answering' })
  })
  test.each([
    [{ kind: 'unreachable', cause: 'timeout', origin: 'https://gpu.example' } as const, 'Offline'],
    [{ kind: 'key-refused', message: '' } as const, 'Key refused'],
    [{ kind: 'service-failed', status: 500, message: '' } as const, 'Trouble'],
  ])('is in trouble after %j, although it answered before', (problem, word) => {
    expect(serviceState({ ...quiet, fetchedAt: 1, listProblem: problem })).toMatchObject({
      kind: 'in-trouble',
      word,
    })
    expect(serviceState({ ...quiet, accountProblem: problem })).toMatchObject({ kind: 'in-trouble', word })
  })
})

test('each state of the keychain says whether secrets outlast this run', () => {
  expect(keychainText({ kind: 'available' })).toMatchObject({
    tone: 'good',
    title: 'The keychain is available',
  })
  expect(keychainText({ kind: 'locked', detail: 'x' })).toMatchObject({ tone: 'warning', word: 'Locked' })
  expect(keychainText({ kind: 'unavailable', detail: 'x' }).text).toContain('in memory until you quit')
  expect(keychainText(null).tone).toBe('neutral')
})

test.each([
  ['linux', /GNOME|KDE/, /gnome-keyring/],
  ['mac', /Keychain Access/, /Keychain Access/],
  ['windows', /Sign in to Windows/, /Credential Manager/],
] as const)('a keychain that is closed is explained as %s has it', (system, unlock, start) => {
  const locked = keychainText({ kind: 'locked', detail: '' }, system).text
  expect(locked).toMatch(unlock)
  expect(locked).toContain('Nothing is lost')
  const none = keychainText({ kind: 'unavailable', detail: '' }, system).text
  expect(none).toMatch(start)
  expect(none).toContain('Everything else works')
})
