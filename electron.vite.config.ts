import { fileURLToPath } from 'node:url'
import ui from '@nuxt/ui/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  main: {
    build: { outDir: 'out/main', rollupOptions: { input: here('src-main/index.ts') } },
  },
  preload: {
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
    resolve: {
      alias: {
        '#contract': here('src-main/contract'),
        '#domain': here('src-main/domain'),
        '#ui': here('src-renderer/ui'),
        '#ipc': here('src-renderer/ipc'),
      },
    },
    plugins: [vue(), ui({ colorMode: false, ui: { colors: { primary: 'teal', neutral: 'zinc' } } })],
    build: { outDir: 'out/renderer', rollupOptions: { input: here('src-renderer/index.html') } },
  },
})
