import { describe, expect, test } from 'vitest'
import { effectiveRequest } from '#domain/templates/template-merge.ts'
import { imageOfTemplate, type Template } from '#domain/templates/template.ts'

const template: Template = {
  id: 5,
  hash_id: 'abc',
  name: 'Mine',
  image: 'pytorch/pytorch',
  tag: '2.9',
  env: `-e A=template -e B='two words' -p 8080:80`,
  onstart: 'echo template',
  recommended_disk_space: 40,
  extra_filters: { gpu_ram: { gte: 16 }, num_gpus: { eq: 1 } },
  runtype: 'ssh',
  use_ssh: false,
  volume_info: { mount_path: '/hint' },
}

test('each value names where it comes from, and what it replaces', () => {
  const effective = effectiveRequest(template, {
    template_hash_id: 'abc',
    disk: 60,
    env: { A: 'request', C: '3', '-p 9090:90': '1' },
    extra_filters: { num_gpus: { eq: 2 } },
  })
  expect(effective.image).toEqual({ value: 'pytorch/pytorch:2.9', source: 'template' })
  expect(effective.diskGb).toEqual({ value: 60, source: 'request', replaced: 40 })
  expect(effective.onstart).toEqual({ value: 'echo template', source: 'template' })
  expect(effective.env).toEqual([
    { name: 'A', value: 'request', source: 'request', replaced: 'template' },
    { name: 'B', value: 'two words', source: 'template' },
    { name: '-p 8080:80', value: '1', source: 'template' },
    { name: 'C', value: '3', source: 'request' },
    { name: '-p 9090:90', value: '1', source: 'request' },
  ])
  expect(effective.extraFilters).toEqual([
    { name: 'gpu_ram', value: { gte: 16 }, source: 'template' },
    { name: 'num_gpus', value: { eq: 2 }, source: 'request', replaced: { eq: 1 } },
  ])
  expect(effective.further).toEqual([{ name: 'runtype', value: 'ssh', source: 'template' }])
})

describe('without a template', () => {
  test('all is the request’s, and the disk has its default', () => {
    const effective = effectiveRequest(null, { image: 'ubuntu', env: { A: '1' } })
    expect(effective).toMatchObject({
      image: { value: 'ubuntu', source: 'request' },
      diskGb: { value: 8, source: 'default' },
      onstart: null,
      further: [],
    })
    expect(effective.env).toEqual([{ name: 'A', value: '1', source: 'request' }])
  })

  test('and without an image there is none', () => {
    expect(effectiveRequest(null, {}).image).toBeNull()
  })
})

test('a template’s volume is a hint: only the request attaches one', () => {
  expect(effectiveRequest(template, {}).volume).toBeNull()
  const volume = { create_new: false, volume_id: 3, mount_path: '/data' }
  expect(effectiveRequest(template, { volume_info: volume }).volume).toEqual({
    value: volume,
    source: 'request',
  })
})

test('flags of a template that cannot be read are named', () => {
  const { unread, env } = effectiveRequest({ ...template, env: '-e A=1 --shm-size 2g' }, {})
  expect(env).toHaveLength(1)
  expect(unread.map(({ text }) => text)).toEqual(['--shm-size 2g'])
})

test.each([
  ['ubuntu', '24.04', 'ubuntu:24.04'],
  ['ubuntu:22.04', '24.04', 'ubuntu:22.04'],
  ['host:5000/ubuntu', '24.04', 'host:5000/ubuntu:24.04'],
  ['ubuntu@sha256:0f', '24.04', 'ubuntu@sha256:0f'],
  ['ubuntu', null, 'ubuntu:latest'],
])('the image %s with the tag %s is %s', (image, tag, whole) => {
  expect(imageOfTemplate({ image, tag })).toBe(whole)
})
