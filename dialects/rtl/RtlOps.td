// Operations of the rtl dialect.
#ifndef DIALECTS_RTL_RTLOPS_TD
#define DIALECTS_RTL_RTLOPS_TD

include "dialects/rtl/ModuleOps.td"
include "dialects/rtl/StateOps.td"
include "dialects/rtl/WiringOps.td"

#endif // DIALECTS_RTL_RTLOPS_TD
