// A vendor's fault as fields of a log line; what is unknown is absent.
import type { VendorFault } from './vendor-fault.ts'

export function faultFields(fault: VendorFault | undefined) {
  return {
    vendorStatus: fault?.status,
    vendorCode: fault?.code,
    vendorMessage: fault?.message,
    vendorHost: fault?.host,
    vendorRequestId: fault?.requestId,
  }
}
