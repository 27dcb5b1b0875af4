import { beforeEach, expect, test, vi } from 'vitest'
import { effectScope, nextTick, ref, shallowRef } from 'vue'
import type { RentDraft, RentPreview } from '#domain/renting/rent-request.ts'
import { settle } from '../../../../support/fake-clock.ts'

interface Question {
  readonly draft: RentDraft
  readonly answer: (preview: RentPreview) => void
  readonly refuse: () => void
}
const questions = vi.hoisted((): Question[] => [])
vi.mock('#ipc/client.ts', () => ({
  client: {
    renting: {
      preview: (draft: RentDraft) =>
        new Promise<RentPreview>((answer, reject) => {
          questions.push({ draft, answer, refuse: () => reject(new Error('main is at the dentist')) })
        }),
    },
  },
}))
const { useRentPreview } =
  await import('../../../../../src-renderer/features/offers/rent/use-rent-preview.ts')

const draftOf = (image: string): RentDraft => ({
  image,
  templateHashId: null,
  diskGb: 10,
  env: {},
  onstart: null,
  volume: null,
  extraFilters: {},
  addSshKey: false,
})
const previewOf = ({ image }: RentDraft): RentPreview => ({
  body: { image: image ?? '' },
  onstartCharacters: 0,
  isOnstartPacked: false,
})

function typing() {
  const draft = shallowRef(draftOf('u'))
  const shown = effectScope().run(() => useRentPreview(draft, ref(null)))
  if (shown === undefined) throw new Error('The scope has ended')
  const type = async (image: string): Promise<void> => {
    draft.value = draftOf(image)
    await nextTick()
  }
  /** Answers the question that was asked last. */
  const answer = async (): Promise<void> => {
    const last = questions.at(-1)
    if (last === undefined) throw new Error('Nothing was asked')
    last.answer(previewOf(last.draft))
    await settle()
  }
  return { ...shown, type, answer }
}

beforeEach(() => void questions.splice(0))

test('what is typed is asked about at once, without a pause', async () => {
  const { preview, isBehind, answer, type } = typing()
  expect(questions).toHaveLength(1)
  await answer()
  await type('ub')
  expect(questions).toHaveLength(2)
  expect(isBehind.value).toBe(true)
  await answer()
  expect(preview.value?.body).toEqual({ image: 'ub' })
  expect(isBehind.value).toBe(false)
})

test('while an answer is waited for nothing more is asked, and then only what stands there by now', async () => {
  const { preview, isBehind, answer, type } = typing()
  for (const image of ['ub', 'ubu', 'ubun']) await type(image)
  expect(questions).toHaveLength(1)
  await answer()
  expect(questions.map(({ draft }) => draft.image)).toEqual(['u', 'ubun'])
  expect(isBehind.value).toBe(true)
  await answer()
  expect(preview.value?.body).toEqual({ image: 'ubun' })
  expect(isBehind.value).toBe(false)
  expect(questions).toHaveLength(2)
})

test('a question that fails is told, what was shown before is not taken for its answer, and the next change asks again', async () => {
  const { preview, previewProblem, isBehind, answer, type } = typing()
  await answer()
  await type('ub')
  questions.at(-1)?.refuse()
  await settle()
  expect(previewProblem.value).not.toBeNull()
  expect(preview.value?.body).toEqual({ image: 'u' })
  expect(isBehind.value).toBe(true)
  await type('ubu')
  await answer()
  expect(previewProblem.value).toBeNull()
  expect(preview.value?.body).toEqual({ image: 'ubu' })
  expect(isBehind.value).toBe(false)
})
