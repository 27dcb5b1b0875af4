import { EventEmitter } from 'node:events'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mostDropped } from '../../../../src-main/contract/port-channel.ts'
import { acceptDrops, type ToldDrop } from '../../../../src-main/desktop/pages/drops.ts'
import { memoryLog } from '../../../support/memory-log.ts'

const mainFrame = { origin: 'app://slipway' }

class Contents extends EventEmitter {
  readonly ipc = new EventEmitter()
  readonly mainFrame = mainFrame
}

function setUp({ isServed = true } = {}) {
  const contents = new Contents()
  const log = memoryLog()
  const drops: (readonly [number, readonly string[]])[] = []
  acceptDrops(contents, {
    page: { origin: 'app://slipway', url: 'app://slipway/index.html' },
    isServed: () => isServed,
    onDrop: (at, paths) => drops.push([at, paths]),
    log,
  })
  const tell = (message: unknown, event: ToldDrop = { senderFrame: mainFrame }): void =>
    void contents.ipc.emit('slipway:drop', event, message)
  return { drops, log, tell }
}

const file = resolve('/home/user/secret.txt')
const at = 5

describe('files that the user dropped', () => {
  it('are told by their paths and their time; an empty drop is one, too', () => {
    const { drops, log, tell } = setUp()
    tell({ at: 5.1, paths: [file, resolve('/a\nb')] })
    tell({ at: 7, paths: [] })
    expect(drops).toEqual([
      [5.1, [file, resolve('/a\nb')]],
      [7, []],
    ])
    expect(log.lines).toEqual([])
  })

  it.each<[string, unknown]>([
    ['no list', { at, paths: file }],
    ['nothing', undefined],
    ['a list alone', [file]],
    ['of no time', { paths: [file] }],
    ['of a time that is none', { at: Number.NaN, paths: [file] }],
    ['something else', { at, paths: { 0: file, length: 1 } }],
    ['a number among them', { at, paths: [file, 7] }],
    ['a relative path', { at, paths: ['secret.txt'] }],
    ['a path that goes on behind a zero', { at, paths: [`${file}\0.png`] }],
    ['an endless path', { at, paths: [resolve(`/${'a'.repeat(5_000)}`)] }],
    ['too many', { at, paths: Array.from({ length: mostDropped + 1 }, () => file) }],
  ])('security: are refused where they are %s, and the log names none', (_, message) => {
    const { drops, log, tell } = setUp()
    tell(message)
    expect([drops, log.lines.length]).toEqual([[], 1])
    expect(JSON.stringify(log.lines)).not.toContain('secret')
  })

  it.each<[string, ToldDrop['senderFrame']]>([
    ['another document', { ...mainFrame }],
    ['a frame that is gone', null],
  ])('security: are refused from %s', (_, senderFrame) => {
    const { drops, log, tell } = setUp()
    tell({ at, paths: [file] }, { senderFrame })
    expect([drops, log.lines.length]).toEqual([[], 1])
  })

  it('security: are refused while the document gives way to that of another account', () => {
    const { drops, tell } = setUp({ isServed: false })
    tell({ at, paths: [file] })
    expect(drops).toEqual([])
  })
})
