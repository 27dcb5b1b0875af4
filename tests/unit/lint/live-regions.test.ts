import { expect, test } from 'vitest'
import { complaints } from '../../support/complaints.ts'

test.each([
  [`<p v-if="text" role="status">{{ text }}</p>`, 'v-if'],
  [`<i v-if="!text" /><p v-else-if="text" role="status">{{ text }}</p>`, 'v-else-if'],
  [`<i v-if="!text" /><p v-else :role="text ? 'status' : undefined">{{ text }}</p>`, 'v-else'],
  [`<p v-show="text" aria-live="polite">{{ text }}</p>`, 'v-show'],
  [`<p v-if="text" :aria-live="text">{{ text }}</p>`, 'v-if'],
  [`<LiveRegion v-if="text"><p>{{ text }}</p></LiveRegion>`, 'v-if'],
])('refuses a live region that comes with its text: %s', async (markup, condition) => {
  const page = `<script setup lang="ts">\nconst text = ''\n</script>\n<template><div>${markup}</div></template>\n`
  expect(await complaints('src-renderer/ui/Planted.vue', page, 'slipway/live-regions')).toEqual([
    expect.stringContaining(`comes and goes with ${condition} is not told`),
  ])
})

test.each([
  `<p role="status"><template v-if="text">{{ text }}</template></p>`,
  `<LiveRegion><p v-if="text">{{ text }}</p></LiveRegion>`,
  `<p v-if="text" role="alert">{{ text }}</p>`,
  `<p v-if="text" role="log" aria-live="off">{{ text }}</p>`,
  `<p v-for="word in text" :key="word" :title="'status'" role="note">{{ word }}</p>`,
])('leaves to the window: %s', async (markup) => {
  const page = `<script setup lang="ts">\nconst text = ''\n</script>\n<template><div>${markup}</div></template>\n`
  expect(await complaints('src-renderer/ui/Planted.vue', page, 'slipway/live-regions')).toEqual([])
})
