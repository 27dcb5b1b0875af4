import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recognizeImport } from '#domain/vault/vault-import.ts'

test.each([
  ['{"format":"slipway-vault","version":9}\nAAAA', 'slipway', true],
  ['\uFEFF{"format":"slipway-vault"', 'slipway', true],
  ['# mine\n\n  OTPAUTH://totp/a?secret=b', 'otpauth', false],
  ['otpauth://totp/a?secret=b\notpauth-migration://offline?data=AA', 'google-authenticator', false],
  ['{"version":1,"header":{"slots":null,"params":null},"db":{}}', 'aegis', false],
  ['\uFEFF\r\n{"version":1,"header":{"slots":[],"params":{}},"db":"AA"}', 'aegis', true],
  ['{"services":[],"schemaVersion":1}', '2fas', false],
  ['{"services":[],"schemaVersion":4,"servicesEncrypted":""}', '2fas', false],
  ['{"services":[],"schemaVersion":4,"servicesEncrypted":"A:B:C"}', '2fas', true],
  ['{"encrypted":false,"folders":[],"items":[]}', 'bitwarden', false],
  ['{"encrypted":false,"collections":[],"items":[]}', 'bitwarden', false],
  ['{"folders":[],"items":[]}', 'bitwarden', false],
  ['{"encrypted":true,"passwordProtected":true,"kdfType":0}', 'bitwarden', true],
  // No password opens these.
  ['{"encrypted":true,"passwordProtected":true,"kdfType":1}', 'bitwarden', false],
  ['{"encrypted":true,"encKeyValidation_DO_NOT_EDIT":"2.A|B|C"}', 'bitwarden', false],
  ['folder,favorite,type,name,notes,fields,login_uri,login_totp\r\n', 'bitwarden', false],
])('%s is recognized', (text, source, needsPassword) => {
  expect(recognizeImport(text)).toEqual({ source, needsPassword })
})

test.each([
  '',
  ' \n',
  'hello',
  'a otpauth://totp/a',
  '{',
  '{}',
  '[]',
  'null',
  '{"items":[]}',
  '{"header":[],"db":5}',
  '{"header":null,"db":{}}',
  '{"services":{},"schemaVersion":4}',
  '{"services":[]}',
  '{"encrypted":"true"}',
  '{"__proto__":{"encrypted":true}}',
  '{"__proto__":{"header":{},"db":{}}}',
])('%s is nobody’s', (text) => {
  expect(recognizeImport(text)).toBeNull()
})

test('a text of anybody never throws', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom('{', '"', 'otpauth:', 'otpauth-migration:', 'login_totp', ',', '\n', '"items":[', '\\'),
  )
  fc.assert(fc.property(fc.array(part), (parts) => void recognizeImport(parts.join(''))))
})
