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
package org.hadoopmpsr.core.tune;

/**
 * A workload that configurations were measured on.
 *
 * @param name names it among all workloads
 * @param family workloads that are alike, such as one query at several bandwidths: they are never divided between learning and
 *     validation
 */
public record Workload(String name, String family, Features features) {
    /** @throws IllegalArgumentException if it has no name or family */
    public Workload {
        if (name.isBlank() || family.isBlank()) {
            throw new IllegalArgumentException("a workload has no name or no family");
        }
    }
}
