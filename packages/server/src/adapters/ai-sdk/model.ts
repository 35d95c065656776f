// A model of any vendor that has an AI SDK provider package, behind the model port. The provider's own `doStream` is
// called: it makes one attempt, where the SDK's higher functions retry by themselves.
import { driveStream } from '#domain/model/drive-stream.ts'
import type { StreamLimits } from '#domain/model/drive-stream.ts'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { ModelAnomaly } from '#domain/model/model-part.ts'
import { requestIdIn } from '#domain/model/vendor-fault.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'
import type { StartSample } from '#ports/sample-store/port.ts'
import { classifyAiSdkError } from './classify.ts'
import type { LanguageModel } from './client.ts'
import { PartReader } from './reader.ts'
import { callOptions } from './request.ts'

export interface AiSdkModelParts {
  readonly id: string
  readonly facts: ModelFacts
  readonly languageModel: LanguageModel
  /** Where the configuration sends its calls; absent: the package's own address. */
  readonly host?: string
  readonly limits: StreamLimits
  readonly clock: Clock
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
  readonly startSample?: StartSample | undefined
}

export function aiSdkModel(parts: AiSdkModelParts): Model {
  const { id, facts, clock, onAnomaly } = parts
  return {
    id,
    facts,
    ...(parts.host === undefined ? {} : { host: parts.host }),
    stream(request) {
      let requestId: string | undefined
      return driveStream(parts, request, {
        reader: new PartReader(id, () => clock.now(), onAnomaly),
        async open({ signal, sample }) {
          const options = callOptions(facts, { ...request, signal }, { includeRawChunks: sample !== undefined })
          const { stream, response } = await parts.languageModel.doStream(options)
          requestId = requestIdIn(response?.headers)
          return stream
        },
        classify: (error, { nowMs, hasBegun }) => classifyAiSdkError(error, nowMs, hasBegun),
        about: () => ({
          ...(parts.host === undefined ? {} : { host: parts.host }),
          ...(requestId === undefined ? {} : { requestId }),
        }),
      })
    },
  }
}
