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
package org.hadoopmpsr.core.place;

/**
 * What a reduction needs, wherever it is made: the profile of FlexAnalytics.
 *
 * @param files that are read
 * @param bytes of these
 * @param records of these
 * @param resultBytes of the partial result of one file
 * @param recordSeconds c_p: how many seconds one core takes for one record, to decode and to reduce it
 * @param memoryBytes m_p: how much memory one core takes for it
 */
public record ReductionProfile(
        long files, long bytes, long records, long resultBytes, double recordSeconds, long memoryBytes) {

    public ReductionProfile {
        if (files < 0 || bytes < 0 || records < 0 || resultBytes < 0 || !(recordSeconds >= 0) || memoryBytes < 0) {
            throw new IllegalArgumentException("a profile has no number below 0, and " + files + " files, " + bytes
                    + " bytes, " + records + " records, results of " + resultBytes + " bytes, " + recordSeconds
                    + " s for a record and " + memoryBytes + " bytes of memory are given");
        }
    }
}
