import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { call, search } from './caller.ts'
import { REQUIRED, TEMPLATES } from './template-caller.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 20 })
})
afterAll(() => simulator.close())

const CLOUD = '/api/v0/users/cloud/'
const named = { user_given_name: 'Mine' }

it.each([
  ['POST', TEMPLATES, { ...REQUIRED, docker_login_pass: 'canary' }, 200],
  ['POST', TEMPLATES, { ...REQUIRED, env: '-e HF_TOKEN=canary -e "WANDB_API_KEY=canary"' }, 200],
  ['POST', TEMPLATES, { ...REQUIRED, env: '-e "HF_TOKEN=canary' }, 400],
  ['POST', TEMPLATES, { ...REQUIRED, docker_login_password: 'canary' }, 400],
  ['PUT', TEMPLATES, { hash_id: 'none', docker_login_pass: 'canary' }, 404],
  ['POST', CLOUD, { provider: 'drive', ...named, code: 'canary' }, 200],
  ['POST', CLOUD, { provider: 's3', ...named, access_key: 'canary', secret_access_key: 'canary' }, 200],
  ['POST', CLOUD, { provider: 'b2', ...named, application_key: 'canary', key_id: 'canary' }, 200],
  ['POST', CLOUD, { provider: 'filesync', code: 'canary', state: 'canary' }, 200],
  ['POST', CLOUD, { provider: 'hf', ...named, access_key: 'HFAKcanary', secret_access_key: 'canary' }, 400],
  ['POST', CLOUD, 'canary', 400],
  ['POST', CLOUD, ['canary', { code: 'canary' }], 400],
  ['POST', '/api/v0/users/cloud', { state: 'canary' }, 404],
  ['PUT', 'an offer', { image: 'ubuntu', env: { HF_TOKEN: 'canary', DB_PASSWORD: 'canary' } }, 200],
  ['PUT', '/api/v0/asks/1/', { image: 'ubuntu', env: '-e HF_TOKEN=canary' }, 400],
  ['GET', `${TEMPLATES}?api_key=canary`, undefined, 400],
  ['GET', `${TEMPLATES}?select_filters={"docker_login_pass":{"eq":"canary"}}`, undefined, 400],
])('keeps no secret of %s %s %j', async (method, where, body, status) => {
  const [offer] = await search(simulator, { rentable: { eq: true }, limit: 1 })
  const path = where === 'an offer' ? `/api/v0/asks/${String(offer?.id)}/` : where
  expect((await call(simulator, method, path, { body })).status).toBe(status)
  const entry = simulator.journal().at(-1)
  expect(entry).toMatchObject({ method, status })
  expect(JSON.stringify(entry)).not.toContain('canary')
})

it('survives bodies that are nested too deep to be looked through', async () => {
  for (const depth of [60, 5_000, 200_000]) {
    const text = `{"name":${'['.repeat(depth)}"canary"${']'.repeat(depth)}}`
    expect((await call(simulator, 'POST', TEMPLATES, { text })).status).toBe(400)
  }
  expect(JSON.stringify(simulator.journal())).not.toContain('canary')
})
