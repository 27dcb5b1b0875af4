import { expect, test } from 'vitest'
import { blockedActions, blockedText } from '../../../../src-renderer/features/instances/blocked-actions.ts'

const texts = (blocks: Parameters<typeof blockedActions>[0]) => blockedActions(blocks).map(blockedText)

test('each reason is said once, with the buttons that are off because of it', () => {
  expect(texts({ 'Open terminal': null, Stop: null, Destroy: null })).toEqual([])
  expect(texts({ 'Open terminal': 'Not running', Stop: 'Not running', Destroy: null })).toEqual([
    'Not running: Open terminal and Stop are off.',
  ])
  expect(texts({ 'Open terminal': 'No address', Stop: 'Waiting', Destroy: 'Waiting' })).toEqual([
    'No address: Open terminal is off.',
    'Waiting: Stop and Destroy are off.',
  ])
  expect(texts({ 'Open terminal': 'Offline', Stop: 'Offline', Destroy: 'Offline' })).toEqual([
    'Offline: Open terminal, Stop, and Destroy are off.',
  ])
})
