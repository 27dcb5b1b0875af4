import { expect, test } from 'vitest'
import { newerFilesText } from '../../../../src-renderer/workbench/banners/newer-files-text.ts'

test('one file is named in the title', () => {
  expect(newerFilesText(['/home/kim/.config/Slipway/frame.json'])).toEqual({
    title: 'A newer Slipway saved frame.json',
    text: 'This version can’t read it and leaves it unchanged: changes aren’t saved. Update Slipway.',
    isSevere: false,
  })
})

test('jump hosts that aren’t used without their file are told of', () => {
  for (const name of ['preferences.json', 'ssh-choices.json']) {
    const { text, isSevere } = newerFilesText([`/home/kim/.config/Slipway/${name}`])
    expect(text).toContain('jump hosts')
    expect(isSevere).toBe(true)
  }
})

test('three files are listed with a serial comma', () => {
  expect(newerFilesText(['a.json', 'b.json', 'c.json']).text).toContain(
    'can’t read a.json, b.json, and c.json',
  )
})

test('what costs money is said, whatever the system writes paths with', () => {
  const { title, text, isSevere } = newerFilesText(['C:\\Slipway\\guards.json', 'C:\\Slipway\\frame.json'])
  expect(title).toBe('A newer Slipway saved 2 files')
  expect(text).toContain('guards.json and frame.json')
  expect(text).toContain('Auto-stop rules don’t run, and you’re still charged.')
  expect(isSevere).toBe(true)
})

test('many files are counted', () => {
  const { text } = newerFilesText(['a.json', 'b.json', 'c.json', 'd.json', 'e.json'])
  expect(text).toContain(
    'This version can’t read a.json, b.json, c.json, and 2 more and leaves them unchanged',
  )
})
