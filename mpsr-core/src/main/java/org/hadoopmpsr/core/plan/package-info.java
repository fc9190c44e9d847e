/** Planning: prune each group's files with the filter, estimate the cost, take the cheapest, say why. */
package org.hadoopmpsr.core.plan;
