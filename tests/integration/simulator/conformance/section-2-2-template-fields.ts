import { expect } from 'vitest'
import { createTemplate, REQUIRED, TEMPLATES } from '../template-caller.ts'
import { type Tenant, expectRefusal, tenantOf } from './asking.ts'
import type { Exempt, Row } from './row.ts'

interface Field {
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
  /** What it is when it is left out; left out itself, the field is required. */
  readonly default?: unknown
}

async function takes(tenant: Tenant, field: string, { good, bad }: Field): Promise<void> {
  for (const value of good) expect((await createTemplate(tenant, { [field]: value }))[field]).toEqual(value)
  for (const value of bad) {
    const body = { ...REQUIRED, [field]: value }
    await expectRefusal(tenant, ['POST', TEMPLATES, body], [400, `body.${field}`])
  }
}

/** A field is taken with good values, refused with bad ones, and required or filled in when it is left out. */
function fieldRow(says: string, description: Field): Row {
  const field = says.split(' ')[1] ?? ''
  return {
    section: '2.2',
    says,
    async check(simulator) {
      const tenant = tenantOf(simulator)
      await takes(tenant, field, description)
      if ('default' in description) {
        expect((await createTemplate(tenant))[field]).toEqual(description.default)
      } else {
        const body = { ...REQUIRED, [field]: undefined }
        await expectRefusal(tenant, ['POST', TEMPLATES, body], [400, `body.${field}`])
      }
    },
  }
}

const text = { good: ['', 'a "b" <c> 🚢'], bad: [5, null, ['a'], {}, true] }
const required = { good: ['a b'], bad: ['', 5, null] }
const optional = { ...text, default: '' }
const boolean = { good: [true, false], bad: ['true', 1, null], default: false }

/** The password is never shown, so it is seen by the hash_id only. */
const passwordRow: Row = {
  section: '2.2',
  says: '| docker_login_pass | string | yes (empty string when unused) |',
  async check(simulator) {
    const tenant = tenantOf(simulator)
    const unused = await createTemplate(tenant, { docker_login_pass: '' })
    const used = await createTemplate(tenant, { docker_login_pass: 'canary' })
    expect(used.hash_id).not.toBe(unused.hash_id)
    expect(JSON.stringify(used)).not.toContain('canary')
    for (const value of [undefined, null, 5]) {
      const body = { ...REQUIRED, docker_login_pass: value }
      await expectRefusal(tenant, ['POST', TEMPLATES, body], [400, 'body.docker_login_pass'])
    }
  },
}

export const templateFieldRows: readonly Row[] = [
  fieldRow('| name | string | yes | human-readable name |', required),
  fieldRow('| image | string | yes | container image path |', required),
  fieldRow('| tag | string | no | image tag; default `latest` |', { ...required, default: 'latest' }),
  fieldRow('| desc | string | no |', optional),
  fieldRow('| readme | string | no |', optional),
  fieldRow('| env | string | no |', {
    good: ['', '-e NAME=value', '-e A=1 -e "B=two words" -p 8080:80 -p 53:53/udp -p 10-12:10-12', '-v /a:/b'],
    bad: [{ A: '1' }, 'A=1', '-p 80', '-e', '-e "A=1', null],
    default: '',
  }),
  fieldRow('| onstart | string | no |', optional),
  fieldRow('| runtype | string | no | `ssh`, `jupyter` or `args`; default `args` |', {
    good: ['ssh', 'jupyter', 'args'],
    bad: ['SSH', '', 'shell', 1, null],
    default: 'args',
  }),
  fieldRow('| args_str | string | no |', optional),
  fieldRow('| ssh_direct | boolean | no |', boolean),
  fieldRow('| use_ssh | boolean | no |', boolean),
  fieldRow('| jup_direct | boolean | no |', boolean),
  fieldRow('| jupyter_dir | string or null | no |', { good: [null, '/w'], bad: [5, false], default: null }),
  fieldRow('| use_jupyter_lab | boolean | no |', boolean),
  fieldRow('| docker_login_repo | string | yes (empty string when unused) |', text),
  fieldRow('| docker_login_user | string | yes (empty string when unused) |', text),
  passwordRow,
  fieldRow('| href | string | no |', optional),
  fieldRow('| repo | string | no |', optional),
  fieldRow('| extra_filters | object | no |', {
    good: [{}, { gpu_ram: { gte: 16_000 }, gpu_name: { in: ['RTX 4090', 'H100 SXM'] } }],
    bad: [[], '', { gpu_ram: 5 }, { gpu_ram: { about: 5 } }, { gpu_ram: { gte: 'a' } }, null],
    default: {},
  }),
  fieldRow('| recommended_disk_space | number | no | GB; default 8 |', {
    good: [8, 0.5, 2000],
    bad: ['8', null, 0, -1],
    default: 8,
  }),
  fieldRow('| private | boolean | no |', boolean),
  fieldRow('| volume_info | object or null | no |', {
    good: [null, { mount_path: '/data' }],
    bad: ['none', 5, []],
    default: null,
  }),
]

export const templateFieldExempt: readonly Exempt[] = [
  { section: '2.2', says: 'Identifiers:', why: 'It names the table that follows.' },
  {
    section: '2.2',
    says: 'Fields by which templates can be searched',
    why: 'It names the table that follows.',
  },
]
