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
package org.hadoopmpsr.core.rebuild;

import java.util.List;

/**
 * What is damaged in a dataset. Immutable.
 *
 * @param datasetId the dataset's id, to name in a change
 * @param damages one for each segment and group, in the order of {@link Damage#ORDER}; each has all of its files
 * @param complete false if there is more damage than was asked for
 */
public record Damages(String datasetId, List<Damage> damages, boolean complete) {
    public Damages {
        damages = List.copyOf(damages);
    }
}
