/**
 * What Nuxt UI's parts look like where they differ from their own defaults: controls 28 px high, 13 px text,
 * 16 px icons, rows 32 px (see style.css for the colors). Read by electron.vite.config.ts.
 */
const control = 'h-7 px-2 py-0 text-sm gap-1.5'
const icons = { leadingIcon: 'size-4', trailingIcon: 'size-4' } as const
const field = { base: control, leading: 'ps-2', trailing: 'pe-2', ...icons } as const
const menu = {
  item: 'p-1 text-sm items-center',
  itemLeadingIcon: 'size-4',
  itemTrailingIcon: 'size-4',
} as const
/**
 * A list that is filtered is whole again as it closes: shown while it fades, it grew over the button that had just been
 * pressed below it, and took its click.
 */
const filtered = { content: 'data-[state=closed]:animate-none' } as const

const solidHover = {
  primary: 'hover:bg-primary active:bg-primary hover:brightness-90 dark:hover:brightness-110',
  error: 'hover:bg-error active:bg-error hover:brightness-90 dark:hover:brightness-110',
  warning: 'hover:bg-warning active:bg-warning hover:brightness-90 dark:hover:brightness-110',
  success: 'hover:bg-success active:bg-success hover:brightness-90 dark:hover:brightness-110',
} as const

export const theme = {
  colors: { primary: 'teal', neutral: 'zinc', success: 'green', warning: 'amber', error: 'red', info: 'sky' },
  button: {
    // What a page is for says so: `color="primary" variant="solid"`.
    defaultVariants: { color: 'neutral', variant: 'outline' },
    slots: {
      base: 'rounded-sm justify-center whitespace-nowrap disabled:opacity-50 aria-disabled:opacity-50',
    },
    variants: { size: { md: { base: 'h-7 px-2.5 py-0 text-sm gap-1.5', ...icons } } },
    compoundVariants: [
      // A paler color under the pointer would leave the white words too little contrast.
      ...(['primary', 'error', 'warning', 'success'] as const).map((color) => ({
        color,
        variant: 'solid' as const,
        class: { base: solidHover[color] },
      })),
      { size: 'md' as const, square: true, class: { base: 'size-7 p-0' } },
    ],
  },
  input: { slots: { base: 'rounded-sm' }, variants: { size: { md: field } } },
  select: { slots: { base: 'rounded-sm' }, variants: { size: { md: { ...field, ...menu } } } },
  inputMenu: {
    slots: { base: 'rounded-sm', ...filtered },
    variants: { size: { md: { ...field, ...menu } } },
  },
  selectMenu: { slots: filtered },
  textarea: { slots: { base: 'rounded-sm' }, variants: { size: { md: { base: 'px-2 py-1.5 text-sm' } } } },
  formField: { slots: { error: 'mt-1', help: 'mt-1' } },
  radioGroup: { slots: { fieldset: 'gap-x-5', label: 'font-normal' } },
  checkbox: { slots: { base: 'rounded-xs' } },
  modal: {
    slots: {
      header: 'px-4 sm:px-4 py-3 min-h-0 shrink-0',
      body: 'p-4 sm:p-4',
      footer: 'px-4 sm:px-4 py-3 shrink-0 justify-end',
      close: 'top-2.5 end-2.5',
    },
    variants: { overlay: { true: { overlay: 'bg-black/50' } } },
  },
  slideover: {
    slots: {
      overlay: 'bg-black/40',
      header: 'px-4 sm:px-4 py-3 min-h-0',
      body: 'p-4 sm:p-4',
      footer: 'px-4 sm:px-4 py-3',
      close: 'top-2.5 end-2.5',
    },
  },
  popover: { slots: { content: 'rounded-md' } },
} as const
