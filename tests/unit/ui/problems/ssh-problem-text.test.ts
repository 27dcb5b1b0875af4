import { expect, test } from 'vitest'
import { sshProblem, type SshProblem } from '#domain/ssh/ssh.ts'
import { sshProblemText } from '#ui/problems/ssh-problem-text.ts'

const address = { host: 'ssh4.example', port: 41022 }
const examples: readonly SshProblem[] = [
  { kind: 'no-address', status: null },
  { kind: 'no-address', status: 'loading' },
  { kind: 'no-address', status: 'running', chosen: 'direct' },
  { kind: 'refused' },
  { kind: 'timeout' },
  { kind: 'unanswered', step: 'greeting' },
  { kind: 'unanswered', step: 'login' },
  { kind: 'unanswered', step: 'shell' },
  { kind: 'busy', detail: 'Exceeded MaxStartups' },
  { kind: 'unreachable', detail: { code: 'no-route' } },
  { kind: 'unreachable', detail: 'EMFILE: too many open files' },
  { kind: 'not-ssh', detail: 'it began with “HTTP/1.1”' },
  { kind: 'no-common-algorithm', detail: 'ssh-dss' },
  { kind: 'signature-invalid' },
  { kind: 'banner-too-long' },
  { kind: 'no-keys', skipped: [{ name: 'Slipway’s key', why: { code: 'keychain-locked' } }] },
  {
    kind: 'authentication-failed',
    user: 'root',
    tried: ['SHA256:abc'],
    skipped: [{ name: 'id_rsa', why: { code: 'locked' } }],
    accepts: ['publickey'],
    partial: false,
  },
  {
    kind: 'authentication-failed',
    user: 'root',
    tried: [],
    skipped: [],
    accepts: ['password', 'gssapi-with-mic'],
    partial: true,
  },
  { kind: 'login-ended', why: 'too-many-prompts' },
  { kind: 'login-ended', why: 'password-change' },
  { kind: 'host-key-refused' },
  { kind: 'out-of-order' },
  { kind: 'protocol-broken', detail: { code: 'too-much-data' } },
  { kind: 'stopped' },
  { kind: 'unasked' },
  { kind: 'link-lost', detail: { code: 'silent', seconds: 45 } },
  { kind: 'channel-refused', detail: 'administratively prohibited' },
  { kind: 'known-hosts-unusable', detail: 'permission denied' },
  { kind: 'no-way-on', to: address, detail: 'Connection refused', isForbidden: false },
  { kind: 'no-way-on', to: address, detail: 'administratively prohibited', isForbidden: true },
  { kind: 'no-way-on', to: address, detail: '', isForbidden: true },
  { kind: 'way-unclear', detail: { code: 'too-many-jump-hosts', most: 8, hosts: 'a,b' } },
  {
    kind: 'both-addresses',
    tries: [
      { address, problem: { kind: 'refused' } },
      { address, problem: { kind: 'not-ssh', detail: 'it closed the connection' } },
    ],
  },
  { kind: 'at-hop', hop: { place: 1, of: 2, address }, problem: { kind: 'refused' } },
  { kind: 'proxy-command', problem: { kind: 'timeout' } },
]

test('the examples cover every kind of problem', () => {
  const kinds = sshProblem._zod.propValues?.['kind']
  expect(new Set(examples.map(({ kind }) => kind))).toEqual(kinds)
})

test.each(
  examples.flatMap((example) => [
    { example, at: address },
    { example, at: null },
  ]),
)('$example.kind is told in three whole parts', ({ example, at }) => {
  const text = sshProblemText(example, at)
  for (const part of [text.title, text.meaning, text.nextStep]) {
    expect(part.trim()).not.toBe('')
    expect(part).not.toMatch(/undefined|null|\[object|!|\.\./)
  }
  expect(text.meaning).toMatch(/\.$/)
  expect(text.nextStep).toMatch(/\.$/)
})

test.each(['', ' ', '.', '\u0007'])('a reason that is none (%j) leaves no gap in what is told', (detail) => {
  for (const example of examples) {
    if (!('detail' in example)) continue
    const { meaning } = sshProblemText({ ...example, detail }, address)
    expect(meaning).not.toMatch(/: *\./)
  }
})

test('what answered is not called silent', () => {
  for (const step of ['greeting', 'login', 'shell'] as const)
    expect(sshProblemText({ kind: 'unanswered', step }, address).meaning).not.toContain('silent')
})

test('a refused login names the user, the keys tried and the ones that could not be used', () => {
  const { meaning } = sshProblemText(
    {
      kind: 'authentication-failed',
      user: 'root',
      tried: ['SHA256:abc', 'SHA256:def'],
      skipped: [{ name: 'id_rsa', why: { code: 'locked' } }],
      accepts: ['publickey'],
      partial: false,
    },
    address,
  )
  expect(meaning).toBe(
    'Slipway tried to log in as “root” with SHA256:abc, SHA256:def. Not usable: id_rsa (its passphrase wasn’t entered). You’re still charged for the instance.',
  )
})

test('a lost link says that the instance is charged all the same', () => {
  expect(sshProblemText({ kind: 'link-lost', detail: 'reset' }, address).meaning).toContain(
    'You’re still charged',
  )
})

test.each([
  [['password'], false, 'The host refused the login', 'This host accepts a password.'],
  [['publickey', 'password'], false, 'The host refused the login', 'This host accepts a password.'],
  [
    ['password', 'keyboard-interactive'],
    true,
    'The host refused the login',
    'One step succeeded. This host also requires a password, or answers to its prompts, such as a one-time code.',
  ],
  [['gssapi-with-mic'], false, 'Slipway can’t log in to this host', 'This host accepts gssapi-with-mic.'],
])('a host that takes %j (one step done: %s) is said to', (accepts, partial, title, meaning) => {
  const tried = ['Slipway’s key']
  const text = sshProblemText({
    ...{ kind: 'authentication-failed', user: 'root', tried, skipped: [], accepts, partial },
  })
  expect(text.title).toBe(title)
  expect(text.meaning).toBe(
    `Slipway tried to log in as “root” with Slipway’s key. ${meaning} You’re still charged for the instance.`,
  )
  expect(text.nextStep).toMatch(/, then try again\.$/)
})

test('a terminal names its button, for a jump host as well', () => {
  const problem = { kind: 'login-ended', why: 'out-of-turn' } as const
  const atHop = { kind: 'at-hop', hop: { place: 1, of: 1, address }, problem } as const
  for (const each of [problem, atHop])
    expect(sshProblemText(each, address, 'select Reconnect').nextStep).toMatch(/, then select Reconnect\.$/)
})

test.each<SshProblem>([
  { kind: 'busy', detail: 'Exceeded MaxStartups' },
  { kind: 'no-common-algorithm', detail: 'ssh-dss' },
  { kind: 'no-keys', skipped: [] },
  { kind: 'signature-invalid' },
  { kind: 'login-ended', why: 'too-many-rounds' },
  { kind: 'login-ended', why: 'password-change' },
])('without a login the instance is charged all the same: $kind', (problem) => {
  expect(sshProblemText(problem, address).meaning).toContain('You’re still charged for the instance.')
})

test('a host that named no way to log in is not said to take keys', () => {
  const { meaning } = sshProblemText({ kind: 'no-keys', skipped: [] }, address)
  expect(meaning).not.toMatch(/accepts|only keys/)
})

test('where both addresses fail, only the instance is said to have been sent nothing: a jump host was logged in to', () => {
  const onwards = { kind: 'no-way-on', to: address, detail: '', isForbidden: false } as const
  const tries = [
    { address, problem: onwards },
    { address, problem: onwards },
  ]
  expect(sshProblemText({ kind: 'both-addresses', tries }).meaning).toContain(
    'No key or password was sent to the instance.',
  )
})
