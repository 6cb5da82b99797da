#include "tools/spindle/hardware/ScheduleFiles.h"

#include "core/support/files/File.h"
#include "hw/hls/lower/DescribeSchedule.h"
#include "lib/report/KernelPage.h"

namespace spindle {

using namespace hls;

llvm::Error writeScheduleFiles(const std::string &folder, KernelOp kernel, const Target &target,
                               const UnitLimits &limits, const KernelInterface &interface) {
  SPINDLE_ASSIGN(KernelSchedule schedule, describeSchedule(kernel, target, limits));
  schedule.kernel = interface.top; // beside the function it has another name in the program
  SPINDLE_RETURN_IF_ERROR(writeKernelSchedule(folder + "/schedule.json", schedule));
  return writeFile(folder + "/report.html", renderKernelPage(interface, schedule));
}

} // namespace spindle
