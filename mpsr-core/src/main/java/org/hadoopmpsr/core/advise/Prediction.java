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
package org.hadoopmpsr.core.advise;

import java.util.List;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.workload.QueryClass;

/**
 * What queries of a class are expected to read, with the queries that this is told of. Immutable.
 *
 * @param examples made-up queries that stand for the class, at least one
 * @param stock what they read on average as the files lie, without MPSR
 * @param advised what they read on average if the planner chooses among the groups
 */
public record Prediction(
        QueryClass queries, List<ReadRequest> examples, Advice.Estimate stock, Advice.Estimate advised) {
    public Prediction {
        examples = List.copyOf(examples);
    }
}
