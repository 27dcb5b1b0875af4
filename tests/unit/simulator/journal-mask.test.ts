import { describe, expect, it } from 'vitest'
import { maskBody, maskPath } from '../../simulator/journal-mask.ts'

const CLOUD = '/api/v0/users/cloud/'
const TEMPLATE = '/api/v0/template/'

describe('a body in the journal', () => {
  it.each([
    [TEMPLATE, { docker_login_user: 'me', docker_login_pass: 'canary' }, { docker_login_user: 'me' }],
    [TEMPLATE, { docker_login_password: 'canary' }, {}],
    [TEMPLATE, { env: '-e HF_TOKEN=canary -e A=1' }, {}],
    [TEMPLATE, { env: '-e "HF_TOKEN=canary' }, {}],
    [TEMPLATE, { env: ['HF_TOKEN=canary'] }, {}],
    [TEMPLATE, { env: '-e A=1 --label token=canary' }, {}],
    ['/api/v0/asks/1/', { env: { HF_TOKEN: 'canary', A: '1' } }, { env: { A: '1' } }],
    [CLOUD, { provider: 's3', access_key: 'canary', secret_access_key: 'canary' }, { provider: 's3' }],
    [CLOUD, { provider: 'b2', application_key: 'canary', key_id: 'canary' }, { provider: 'b2' }],
    [CLOUD, { provider: 'filesync', code: 'canary', state: 'canary' }, { provider: 'filesync' }],
    ['/api/v0/users/cloud', [{ state: 'canary' }], [{}]],
  ])('%s %j', (path, body, kept) => {
    const masked = maskBody(path, body)
    expect(JSON.stringify(masked)).not.toContain('canary')
    expect(masked).toMatchObject(kept)
  })

  it.each([
    ['/api/v0/instances/1/', { state: 'stopped' }],
    [TEMPLATE, { env: '-e A=1 -p 80:80', name: 'code' }],
    [TEMPLATE, { env: null }],
    [TEMPLATE, { env: '--shm-size 1g -e A=1', docker_login_pass: '' }],
  ])('%s %j is kept as it is', (path, body) => {
    expect(maskBody(path, body)).toEqual(body)
  })
})

describe('a query in the journal', () => {
  it.each(['?owner=me', '', '?select_filters=%7B%22name%22%3A%7B%22eq%22%3A%22a%22%7D%7D'])(
    '%s is kept',
    (search) => {
      expect(maskPath('/a/', search)).toBe(`/a/${search}`)
    },
  )

  it.each([
    '?api_key=canary',
    '?select_filters={"docker_login_pass":{"eq":"canary"}}',
    '?select_filters={"docker_login_pass":{"eq":"canary"',
  ])('%s is masked', (search) => {
    expect(maskPath('/a/', search)).not.toContain('canary')
  })
})
