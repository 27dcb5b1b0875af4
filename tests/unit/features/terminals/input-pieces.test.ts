import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inputPieces } from '../../../../src-renderer/features/terminals/terminal-line.ts'

it('cuts long input into pieces that each encode by themselves to what was typed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 2, max: 9 }),
      (data, longest) => {
        const pieces = inputPieces(data, longest)
        expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(longest)
        const encoder = new TextEncoder()
        expect(Buffer.concat(pieces.map((piece) => encoder.encode(piece))).toString('utf8')).toBe(data)
      },
    ),
  )
})
