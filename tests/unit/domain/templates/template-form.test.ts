import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesBetween, isSameContent } from '#domain/templates/template-content.ts'
import { initialOf, newOrigin } from '#domain/templates/template-draft.ts'
import {
  formOf,
  newTemplateForm,
  readForm,
  templateForm,
  type TemplateForm,
} from '#domain/templates/template-form.ts'
import { hiddenSwitches } from '#domain/templates/template-runtype.ts'
import { anyContent, contentWith } from '../../../support/template-arbitrary.ts'

const good: TemplateForm = { ...newTemplateForm, name: 'Mine', image: 'ubuntu' }

test('a form that nobody touched changes nothing and has nothing wrong, whatever the template says', () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      const { content: read, problems } = readForm(formOf(content), content, 'none')
      expect(read).toEqual(content)
      expect(problems).toEqual({})
    }),
  )
})

test('a form survives the disk', () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      const form = formOf(content)
      expect(templateForm.parse(JSON.parse(JSON.stringify(form)))).toEqual(form)
    }),
  )
})

test('what is typed over one template becomes another one, but for switches that do not matter', () => {
  fc.assert(
    fc.property(anyContent, anyContent, (before, after) => {
      const hidden = hiddenSwitches(after.runtype)
      const { content, problems } = readForm(formOf(after), before, 'none')
      fc.pre(Object.keys(problems).length === 0)
      const left = Object.keys(changesBetween(content, after))
      const hiddenOrTrimmed: readonly string[] = [...hidden, 'name', 'jupyter_dir']
      expect(left.filter((field) => !hiddenOrTrimmed.includes(field))).toEqual([])
      for (const field of hidden) expect(content[field]).toEqual(before[field])
    }),
  )
})

test('a copy says all that the template says, also what its run type hides', () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      const initial = initialOf(newOrigin(content))
      const { content: read, problems } = readForm(formOf(content), null, 'held', initial)
      // Flags that cannot be sent are called wrong, and then the form has no meaning yet.
      fc.pre(!('env' in problems))
      const changed: readonly string[] = Object.keys(changesBetween(content, read))
      const trimmed: readonly string[] = ['name', 'jupyter_dir']
      expect(changed.filter((field) => !trimmed.includes(field))).toEqual([])
    }),
  )
})

test('other flags stay as they are when variables beside them change', () => {
  const before = contentWith({ env: `-e A=1 --shm-size '1 g' -p 80:80` })
  const form = formOf(before)
  if (form.env.view !== 'rows') throw new Error('no rows')
  const rows = form.env.rows.map((row) => (row.kind === 'variable' ? { ...row, value: '2' } : row))
  const { content, problems } = readForm({ ...form, env: { view: 'rows', rows } }, before, 'none')
  expect(problems).toEqual({})
  expect(content.env).toBe(`-e A=2 --shm-size '1 g' -p 80:80`)
})

test('SSH can be chosen with every run type', () => {
  for (const runtype of ['ssh', 'jupyter', 'args']) {
    const form = { ...good, runtype, use_ssh: true, ssh_direct: true }
    expect(readForm(form, null, 'none').content).toMatchObject({ runtype, use_ssh: true, ssh_direct: true })
  }
})

test('a new template has the service’s defaults', () => {
  const { content, problems } = readForm({ ...good, tag: ' ' }, null, 'none')
  expect(problems).toEqual({})
  expect(isSameContent(content, contentWith({}))).toBe(true)
})

describe('each rule says at its field what is wrong', () => {
  const cases: readonly [string, Partial<TemplateForm>, string][] = [
    ['no name', { name: '  ' }, 'name'],
    ['no image', { image: '' }, 'image'],
    ['a port without its other end', { env: { view: 'flags', flags: '-p 80' } }, 'env'],
    ['a word that is no flag', { env: { view: 'flags', flags: 'A=1' } }, 'env'],
    [
      'two variables of one name',
      { env: { view: 'rows', rows: [1, 2].map(() => ({ kind: 'variable', name: 'A', value: '' })) } },
      'env',
    ],
    [
      'a port that is none',
      { env: { view: 'rows', rows: [{ kind: 'ports', host: '70000', container: '1', protocol: null }] } },
      'env',
    ],
    ['a run type that is not known', { runtype: 'docker' }, 'runtype'],
    ['no disk', { recommended_disk_space: '' }, 'recommended_disk_space'],
    ['a disk of nothing', { recommended_disk_space: '0' }, 'recommended_disk_space'],
    [
      'a condition that is none',
      { extra_filters: { rows: [{ field: 'num_gpus', operator: 'eq', values: ['x'] }], json: '' } },
      'extra_filters',
    ],
    ['filters that are no JSON', { extra_filters: { rows: [], json: '{' } }, 'extra_filters'],
    ['a volume hint that is no object', { volume_info: '[1]' }, 'volume_info'],
  ]
  test.each(cases)('%s', (_, change, field) => {
    const { problems } = readForm({ ...good, ...change }, null, 'none')
    expect(Object.keys(problems)).toContain(field)
  })

  const likely: readonly [string, Partial<TemplateForm>, string][] = [
    ['a flag that is not known', { env: { view: 'flags', flags: '--shm-size 1g' } }, 'env'],
    ['an image with a space', { image: 'a b' }, 'image'],
    ['an image that is too long', { image: 'a'.repeat(1025) }, 'image'],
    ['a tag that is none', { tag: '-x' }, 'tag'],
    ['a start script that is too long', { onstart: 'x'.repeat(4049) }, 'onstart'],
    ['a notebook folder that is not absolute', { runtype: 'jupyter', jupyter_dir: 'w' }, 'jupyter_dir'],
    ['a registry with a scheme', { docker_login_repo: 'https://ghcr.io' }, 'docker_login_repo'],
    ['a registry user with a space', { docker_login_user: 'a b' }, 'docker_login_user'],
    ['a link that is none', { href: 'javascript:alert(1)' }, 'href'],
    ['a repository with a space', { repo: 'a b' }, 'repo'],
    ['a disk beyond any', { recommended_disk_space: '1000001' }, 'recommended_disk_space'],
    ['a NUL', { desc: 'a\0b' }, 'desc'],
    ['a readme beyond any', { readme: 'x'.repeat(900_001) }, 'readme'],
  ]
  test.each(likely)('%s is only hinted at: the service may take it', (_, change, field) => {
    const { problems, hints } = readForm({ ...good, docker_login_user: 'me', ...change }, null, 'held')
    expect(problems).toEqual({})
    expect(Object.keys(hints)).toEqual([field])
  })

  const withUser = { ...good, docker_login_user: 'me' }
  const edited = contentWith({ docker_login_user: 'me' })
  test.each([
    ['a token without a user', readForm(good, null, 'held'), 'user'],
    ['a user without a token', readForm(withUser, null, 'none'), 'token'],
    ['a user whose token is removed', readForm(formOf(edited), edited, 'removed'), 'token'],
  ])('%s is only hinted at', (_, { problems, hints }, hint) => {
    expect(problems).toEqual({})
    expect(hints).toEqual({ token: expect.stringContaining(hint) })
  })

  test('nothing is said of a token that the service may have, or that belongs to its user', () => {
    for (const read of [readForm(formOf(edited), edited, 'none'), readForm(withUser, null, 'held')])
      expect(read).toMatchObject({ problems: {}, hints: {} })
  })

  test('a token that went lost is not left out without a word', () => {
    for (const base of [null, edited])
      expect(readForm(withUser, base, 'lost').problems).toEqual({ token: expect.stringContaining('clear') })
  })

  test('of an edit, only what would be sent is looked at', () => {
    const before = contentWith({ onstart: 'x'.repeat(5000), docker_login_user: 'me', image: '' })
    const form = { ...formOf(before), desc: 'new' }
    expect(readForm(form, before, 'none')).toMatchObject({ problems: {}, hints: {} })
    expect(readForm({ ...form, onstart: 'y'.repeat(5000) }, before, 'none').hints).toHaveProperty('onstart')
    expect(readForm({ ...form, name: '' }, before, 'none').problems).toEqual({ name: 'Enter a name.' })
  })
})
