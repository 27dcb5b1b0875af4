interface Parser {
  readonly parseForESLint: (
    code: string,
    options: object,
  ) => { readonly services: { readonly program: object } }
}

export function typedParser(top: string, vueParser: Parser, isSingleRun: boolean): Parser
