import { fileURLToPath } from 'node:url'
import ui from '@nuxt/ui/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import { theme } from './src-renderer/ui/theme.ts'
import { hotStores } from './tools/hot-stores.mjs'
import { createLicenseCollector } from './tools/licenses/license-collector.mjs'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const licenses = createLicenseCollector({ top: here('.'), output: here('out/licenses') })

export default defineConfig({
  main: {
    plugins: [licenses()],
    build: {
      outDir: 'out/main',
      rollupOptions: {
        // Printed for no reader, which saves a third. Names and places stay, so that a log tells where something failed.
        output: {
          comments: false,
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
        input: {
          index: here('src-main/index.ts'),
          // A thread that main starts from a file of its own (src-main/services/ssh/keys/unlock.ts).
          'unlock-worker': here('src-main/services/ssh/keys/unlock-worker.ts'),
          // Another one (src-main/services/files/gitignore-thread.ts).
          'gitignore-worker': here('src-main/services/files/gitignore-worker.ts'),
          // A process that main starts (src-main/desktop/keychain-process.ts).
          'keychain-host': here('src-main/services/vault/keychain/keychain-host.ts'),
        },
      },
    },
  },
  preload: {
    plugins: [licenses()],
    build: {
      outDir: 'out/preload',
      // A sandboxed preload script has no ESM loader: one CommonJS file.
      rollupOptions: {
        input: here('src-main/preload.ts'),
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [
      vue(),
      hotStores(),
      licenses(),
      ui({
        root: here('.'),
        ui: theme,
        theme: { transitions: false },
        colorMode: false,
        // Parts are imported by name, so that a reader sees where they come from and types need no build.
        components: false,
        autoImport: false,
        // The page has no network: every icon that the source names is bundled (tests/unit/ui/icons.test.ts).
        icon: { clientBundle: { scan: { globInclude: ['src-renderer/**/*.{ts,vue}'], globExclude: [] } } },
      }),
    ],
    build: {
      outDir: 'out/renderer',
      // electron-vite would not.
      minify: true,
      // Fonts and pictures are files of their own: the policy allows no data: fonts.
      assetsInlineLimit: 0,
      // Vite's preload helper would fetch what the page's policy does not need it to.
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: here('src-renderer/index.html'),
        output: {
          // The first screen in one file: as 92 of them it took 0.6 s of processor time more at each start.
          codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] },
        },
      },
    },
  },
})
