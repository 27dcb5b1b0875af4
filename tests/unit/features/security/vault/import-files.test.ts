import { expect, test, vi } from 'vitest'
import { readImportFiles } from '../../../../../src-renderer/features/security/vault/import-files.ts'
import { plainAegis, plainBitwarden } from '../../../../support/vault/authenticator-exports.ts'

/** The code of each picture is what the file holds: there is no canvas to draw it on. */
vi.mock('../../../../../src-renderer/features/security/vault/qr-picture.ts', () => ({
  readQrPicture: (file: Blob) => file.text(),
}))

const address = 'otpauth://totp/Git:ada?secret=JBSWY3DPEHPK3PXP'
const part = 'otpauth-migration://offline?data=AAAA'
const textFile = (name: string, text: string) => new File([text], name, { type: 'text/plain' })
const picture = (name: string, text: string) => new File([text], name, { type: 'image/png' })
const read = (files: readonly File[]) => readImportFiles(files, new AbortController().signal)

test('lists of addresses and pictures make one text, of which each line is known', async () => {
  const list = `\uFEFF# from my phone\r\n\r\n  ${address}\n`
  const files = [picture('1.png', part), textFile('list.txt', list), picture('2.png', part)]
  await expect(read(files)).resolves.toEqual({
    text: `${part}\n${list.slice(1)}\n${part}`,
    files: [
      { name: '1.png', lines: 1 },
      { name: 'list.txt', lines: 4 },
      { name: '2.png', lines: 1 },
    ],
    error: null,
  })
})

test.each([
  ['a Slipway export', '{"format":"slipway-vault","version":1}\nAAAA'],
  ['an Aegis export', plainAegis([])],
  ['a Bitwarden export', plainBitwarden([])],
  ['a CSV file', `name,login_totp\nGit,${address}`],
  ['a list with something else in it', `${address}\nnonsense`],
])('%s is read alone, and refused by its name among others', async (_, text) => {
  await expect(read([textFile('alone.txt', text)])).resolves.toMatchObject({ text, error: null })
  const several = await read([
    textFile('alone.txt', text),
    textFile('list.txt', address),
    textFile('b', text),
  ])
  expect(several).toMatchObject({ text: '', files: [] })
  expect(several?.error).toMatch(/^Import these one at a time: alone\.txt; b\./)
})

test('a picture of another QR code is named, and the others are read', async () => {
  await expect(read([picture('wifi.png', 'WIFI:S:home;;'), picture('1.png', part)])).resolves.toEqual({
    text: part,
    files: [{ name: '1.png', lines: 1 }],
    error: 'wifi.png: The QR code in this image isn’t an otpauth address.',
  })
})

test('files that are wanted no more give nothing, and those after them aren’t opened', async () => {
  const stop = new AbortController()
  const begun = Promise.withResolvers<undefined>()
  const going = Promise.withResolvers<string>()
  const slow = textFile('slow.txt', '')
  slow.text = () => {
    begun.resolve(undefined)
    return going.promise
  }
  const next = textFile('next.txt', address)
  const opened = vi.spyOn(next, 'text')
  const reading = readImportFiles([slow, next], stop.signal)
  await begun.promise
  stop.abort()
  going.resolve(address)
  await expect(reading).resolves.toBeNull()
  expect(opened).not.toHaveBeenCalled()
})

test('the window is drawn between one picture and the next', async () => {
  let turns = 0
  const pictures = [1, 2, 3].map((number) => picture(`${number}.png`, part))
  const turnsAt: number[] = []
  for (const file of pictures)
    file.text = async () => {
      turnsAt.push(turns)
      setTimeout(() => (turns += 1))
      return part
    }
  await read(pictures)
  expect(turnsAt).toEqual([0, 1, 2])
})
