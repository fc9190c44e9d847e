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
package org.hadoopmpsr.namenode;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets the clusters of a test class become garbage when the class has ended. Each NameNode takes 3 % of the heap, however
 * large that is, and is held by static fields of the test class, by the metrics of HDFS's web server and by those of the
 * namespace, which HDFS does not unregister. JUnit finds this extension by itself.
 */
public final class ReleasedClusters implements AfterAllCallback {
    private static final Pattern NAMESPACE = Pattern.compile("FSNamesystem(-\\d+)?");

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        for (Field field : context.getRequiredTestClass().getDeclaredFields()) {
            int modifiers = field.getModifiers();
            if (Modifier.isStatic(modifiers)
                    && !Modifier.isFinal(modifiers)
                    && !field.getType().isPrimitive()) {
                field.setAccessible(true);
                field.set(null, null);
            }
        }
        release();
    }

    /** Lets NameNodes that have ended become garbage. Those that run lose the metrics of their web servers and namespaces. */
    static void release() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        MetricsSystem metrics = DefaultMetricsSystem.instance();
        try {
            for (ObjectName name : beans.queryNames(new ObjectName("Hadoop:*"), null)) {
                String source = String.valueOf(name.getKeyProperty("name"));
                // Hadoop numbers the sources of one name, with gaps where the metrics system has ended in between
                if (NAMESPACE.matcher(source).matches() && metrics.getSource(source) != null) {
                    metrics.unregisterSource(source);
                }
                if (name.getCanonicalName().contains("HttpServer2") && beans.isRegistered(name)) {
                    beans.unregisterMBean(name);
                }
            }
        } catch (JMException e) {
            throw new IllegalStateException("the metrics of NameNodes that have ended stay", e);
        }
    }
}
