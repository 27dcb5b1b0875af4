import { expect, test } from 'vitest'
import { runtimeText } from '#domain/diagnostics/runtime-text.ts'

const program = { electron: '45.4.1', chrome: '150.0.1', node: '24.2.0' }

test('the runtime is named with its versions, and none that is not there', () => {
  expect(runtimeText(program)).toBe('Electron 45.4.1, Chrome 150.0.1, Node 24.2.0')
  expect(runtimeText({ ...program, electron: null, chrome: null })).toBe('Node 24.2.0, without Electron')
})
