/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.benchmarks.encode;

import java.lang.management.ManagementFactory;

/** How long the processor has worked. */
final class CpuTime {
    private CpuTime() {}

    /** For the calling thread, in nanoseconds since the thread began. */
    static long ofThread() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
