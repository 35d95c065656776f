// The names of OpenTelemetry's conventions that our spans use, in one table. The GenAI conventions are in development and have
// a repository of their own, which has published no release yet: the names are those of the commit below, and an update
// begins here. docs/telemetry.md names the same version.

/** `open-telemetry/semantic-conventions-genai` at this commit; its README names the schema. */
export const GEN_AI_CONVENTIONS = {
  repository: 'open-telemetry/semantic-conventions-genai',
  commit: '024a4f944a1291fcb627c9c47da69e79868dd15e',
  page: 'docs/gen-ai/client-inference.md',
  schemaUrl: 'https://opentelemetry.io/schemas/gen-ai/1.42.0',
} as const

/** Attributes of one call of a model. */
export const GEN_AI = {
  operationName: 'gen_ai.operation.name',
  providerName: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  conversationId: 'gen_ai.conversation.id',
  promptVersion: 'gen_ai.prompt.version',
  promptName: 'gen_ai.prompt.name',
  systemInstructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
} as const

/** The value of `gen_ai.operation.name` for every call of ours. */
export const CHAT = 'chat'

/** Our providers, as `gen_ai.provider.name` calls them; a provider that is not listed is sent as it is configured. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  bedrock: 'aws.bedrock',
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  // An endpoint with OpenAI's API has the format of OpenAI; `server.address` says where it is.
  'openai-compatible': 'openai',
}
export const providerNameOf = (provider: string): string => PROVIDER_NAMES[provider] ?? provider

/** Attributes of the general conventions (semantic-conventions v1.44.0). */
export const STABLE = {
  errorType: 'error.type',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  dbSystem: 'db.system.name',
  dbNamespace: 'db.namespace',
  dbCollection: 'db.collection.name',
  dbProcedure: 'db.stored_procedure.name',
  dbOperation: 'db.operation.name',
  dbBatchSize: 'db.operation.batch.size',
  dbStatus: 'db.response.status_code',
  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  userPseudonym: 'enduser.pseudo.id',
  serviceName: 'service.name',
  serviceVersion: 'service.version',
  serviceInstance: 'service.instance.id',
  exceptionType: 'exception.type',
  exceptionMessage: 'exception.message',
  exceptionStack: 'exception.stacktrace',
} as const
