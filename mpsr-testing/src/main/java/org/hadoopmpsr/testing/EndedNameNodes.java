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
package org.hadoopmpsr.testing;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Lets NameNodes that have ended become garbage. Each takes 3 % of the heap, however large that is, and HDFS leaves it with
 * the metrics system and with the MBeans of its web server.
 */
public final class EndedNameNodes {
    private static final Pattern HOLDS_NAMENODE = Pattern.compile("(FSNamesystem|NameNode|HttpServer2)(-\\d+)?");

    private EndedNameNodes() {}

    /** NameNodes that run lose the metrics of their web servers and namespaces. */
    public static void release() {
        MetricsSystem metrics = DefaultMetricsSystem.instance();
        for (Object source : sources(metrics)) {
            if (HOLDS_NAMENODE.matcher(source.toString()).matches()) {
                metrics.unregisterSource(source.toString());
            }
        }
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        try {
            for (ObjectName name : beans.queryNames(new ObjectName("Hadoop:*"), null)) {
                if (name.getCanonicalName().contains("HttpServer2") && beans.isRegistered(name)) {
                    beans.unregisterMBean(name);
                }
            }
        } catch (JMException e) {
            throw new IllegalStateException("the web servers of NameNodes that have ended stay registered", e);
        }
    }

    /** The names of all sources. A metrics system that was shut down has no MBeans, and still keeps its sources. */
    private static List<Object> sources(MetricsSystem metrics) {
        try {
            Field all = MetricsSystemImpl.class.getDeclaredField("allSources");
            all.setAccessible(true);
            synchronized (metrics) {
                return List.copyOf(((Map<?, ?>) all.get(metrics)).keySet());
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Hadoop's metrics system keeps its sources elsewhere", e);
        }
    }
}
