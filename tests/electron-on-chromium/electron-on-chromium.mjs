#!/usr/bin/env node
// Used as Electron's binary is: `electron-on-chromium.mjs <folder of the app>`.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import './register.ts'
import { program } from './program.ts'

const folder = resolve(process.argv[2] ?? '.')
program.folder = folder
const { main } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'))
await import(pathToFileURL(resolve(folder, main)).href)
