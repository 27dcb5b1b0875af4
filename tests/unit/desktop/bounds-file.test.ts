import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRememberedWindow, writeRememberedWindow } from '../../../src-main/desktop/bounds-file.ts'
import { memoryLog } from '../../support/memory-log.ts'

let folder: string
const file = () => join(folder, 'window.json')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-bounds-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const window = { x: 10, y: -20, width: 1200, height: 700, isMaximized: true }

describe('the remembered window', () => {
  it('is read as it was written', () => {
    const log = memoryLog()
    expect(readRememberedWindow(file(), log)).toBeNull()
    writeRememberedWindow(file(), window, log)
    expect(readRememberedWindow(file(), log)).toEqual(window)
    expect(log.lines).toEqual([])
  })

  it.each([
    '',
    '{',
    '[]',
    '{"x":"1"}',
    JSON.stringify({ ...window, width: -5 }),
    JSON.stringify({ ...window, x: 1.5 }),
  ])('is forgotten, and the log says so, when the file holds %j', (content) => {
    writeFileSync(file(), content)
    const log = memoryLog()
    expect(readRememberedWindow(file(), log)).toBeNull()
    expect(log.lines).toHaveLength(1)
    expect(readFileSync(file(), 'utf8')).toBe(content)
  })

  it('does not keep the window from closing when it cannot be written', () => {
    const log = memoryLog()
    writeRememberedWindow(join(folder, 'none', 'window.json'), window, log)
    expect(log.lines).toHaveLength(1)
  })

  it('of a newer Slipway is not read, and stays as it is', () => {
    const content = JSON.stringify({ version: 2, places: [window] })
    writeFileSync(file(), content)
    const log = memoryLog()
    expect(readRememberedWindow(file(), log)).toBeNull()
    writeRememberedWindow(file(), window, log)
    expect(readFileSync(file(), 'utf8')).toBe(content)
    expect(log.lines).toHaveLength(1)
  })

  it('is read where the file does not say its version yet, and is written with it', () => {
    writeFileSync(file(), JSON.stringify(window))
    const log = memoryLog()
    expect(readRememberedWindow(file(), log)).toEqual(window)
    writeRememberedWindow(file(), window, log)
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ version: 1, ...window })
  })
})
