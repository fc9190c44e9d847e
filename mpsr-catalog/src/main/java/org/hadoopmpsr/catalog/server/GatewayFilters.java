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
package org.hadoopmpsr.catalog.server;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;
import org.apache.hadoop.security.AuthenticationFilterInitializer;

/** Lets users in as the web pages of Hadoop do, by the properties {@code hadoop.http.authentication.*}. */
public final class GatewayFilters extends FilterInitializer {
    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
        container.addGlobalFilter( // of all paths, also of those whose servlets bring no filter
                "authentication",
                TokenOrFilter.class.getName(),
                AuthenticationFilterInitializer.getFilterConfigMap(conf, "hadoop.http.authentication."));
    }
}
